package dev.ledger.app.commit;

import dev.ledger.app.store.EventTable;
import dev.ledger.domain.balance.StaleBalanceException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Why a group did not commit, from the database's own words (C3). A unique violation alone says nothing: which
 * constraint it was decides, and what is stored is looked up before anyone is answered.
 */
enum FailureKind {

    /** Another delivery or another instance was first: drop what is cached, look up what is stored, decide again. */
    OVERTAKEN,

    /** Somebody else holds a lock on the same operation and has not ended in time. */
    IN_PROGRESS,

    /** No transaction could be begun: nothing can have been applied. */
    NOT_BEGUN,

    /** The database could not be reached, or went away: what was being committed may or may not be there. */
    UNREACHABLE,

    /** Anything else: a fault of its own, never taken for a duplicate. */
    OTHER;

    static FailureKind of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CannotCreateTransactionException) {
                return NOT_BEGUN;
            }
            if (cause instanceof StaleBalanceException) {
                return OVERTAKEN;
            }
            if (cause instanceof SQLException sql) {
                return of(sql);
            }
        }
        return OTHER;
    }

    private static FailureKind of(SQLException failure) {
        if (failure instanceof SQLTransientConnectionException || failure instanceof SQLRecoverableException) {
            return UNREACHABLE;
        }
        String state = failure.getSQLState() == null ? "" : failure.getSQLState();
        return switch (state) {
            case "23505" -> isArbiter(failure) ? OVERTAKEN : OTHER;
            // PostgreSQL: serialization failure, deadlock. H2: deadlock, row changed meanwhile.
            case "40001", "40P01", "90131" -> OVERTAKEN;
            // PostgreSQL: lock_timeout. H2: LOCK_TIMEOUT.
            case "55P03", "HYT00" -> IN_PROGRESS;
            // PostgreSQL: shutting down, crashed, starting. H2: database closed, connection broken.
            case "57P01", "57P02", "57P03", "90098", "90067", "90121" -> UNREACHABLE;
            default -> state.startsWith("08") ? UNREACHABLE : OTHER;
        };
    }

    /** Both databases name the violated constraint or its index in the message; H2 in capitals. */
    private static boolean isArbiter(SQLException failure) {
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains(EventTable.EVENT_ID_CONSTRAINT) || message.contains(EventTable.SEQUENCE_CONSTRAINT);
    }
}
