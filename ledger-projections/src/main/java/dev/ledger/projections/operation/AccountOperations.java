package dev.ledger.projections.operation;

import dev.ledger.domain.balance.DeltaApplied;
import dev.ledger.projections.EventBatch;
import dev.ledger.projections.dedup.HandledEvents;
import dev.ledger.projections.sql.ProjectionSql;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.ResetHandler;
import org.springframework.jdbc.core.JdbcTemplate;

/** Keeps each account's statement: one row for each operation, with the balance after it. */
@ProcessingGroup(AccountOperations.NAME)
public final class AccountOperations {

    public static final String NAME = "account-operations";

    /** Goes up when the same events would lead to other rows. */
    public static final String VERSION = "1";

    private final EventBatch<DeltaApplied> batch;
    private final HandledEvents handledEvents;
    private final JdbcTemplate jdbc;

    public AccountOperations(ProjectionSql sql, HandledEvents handledEvents, JdbcTemplate jdbc) {
        this.batch = new EventBatch<>(NAME, sql::addOperations);
        this.handledEvents = handledEvents;
        this.jdbc = jdbc;
    }

    @EventHandler
    void on(DeltaApplied event) {
        batch.add(event);
    }

    /** Commits together with the token that the reset moves back: nobody sees one without the other. */
    @ResetHandler
    void reset() {
        jdbc.update("delete from account_operation");
        handledEvents.forget(NAME);
    }
}
