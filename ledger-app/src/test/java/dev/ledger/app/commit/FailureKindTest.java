package dev.ledger.app.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ledger.app.store.H2DurableTransactionManager;
import java.sql.SQLException;
import org.axonframework.common.transaction.NoTransactionManager;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.CannotCreateTransactionException;

class FailureKindTest {

    @Test
    void aStatementThatFoundNoRoomHasAppliedNothing() {
        assertThat(FailureKind.of(noRoom("53100"))).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(FailureKind.of(noRoom("53200"))).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(FailureKind.of(noRoom("90028"))).isEqualTo(FailureKind.EXHAUSTED);
    }

    /** Connections may be free again before anybody's patience ends. */
    @Test
    void aTransactionThatFoundNoConnectionIsTriedAgain() {
        assertThat(FailureKind.of(new CannotCreateTransactionException("too many connections", noRoom("53300"))))
                .isEqualTo(FailureKind.NOT_BEGUN);
    }

    /** H2 has committed by then, and its file may hold the commit. */
    @Test
    void aCheckpointThatFoundNoRoomLeavesItsCommitInDoubt() {
        JdbcTemplate full = new JdbcTemplate() {
            @Override
            public void execute(String sql) {
                throw noRoom("90028");
            }
        };
        Throwable failure = catchThrowable(() -> new H2DurableTransactionManager(NoTransactionManager.INSTANCE, full)
                .startTransaction()
                .commit());

        assertThat(FailureKind.of(failure)).isEqualTo(FailureKind.UNREACHABLE);
    }

    private static DataAccessResourceFailureException noRoom(String sqlState) {
        return new DataAccessResourceFailureException("no room", new SQLException("no room", sqlState));
    }
}
