package dev.ledger.app.store;

import org.axonframework.common.transaction.Transaction;
import org.axonframework.common.transaction.TransactionManager;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Ends a commit on H2 only when it is on the disk.
 *
 * <p>With {@code WRITE_DELAY=0} H2 hands each commit to the operating system at once, which outlives a killed process but
 * not a power failure; its checkpoint forces the file. PostgreSQL does that by itself.
 */
public final class H2DurableTransactionManager implements TransactionManager {

    private final TransactionManager delegate;
    private final JdbcTemplate jdbc;

    public H2DurableTransactionManager(TransactionManager delegate, JdbcTemplate jdbc) {
        this.delegate = delegate;
        this.jdbc = jdbc;
    }

    @Override
    public Transaction startTransaction() {
        Transaction transaction = delegate.startTransaction();
        return new Transaction() {
            @Override
            public void commit() {
                try {
                    transaction.commit();
                    jdbc.execute("checkpoint sync");
                } catch (RuntimeException e) {
                    throw ResourceFailures.isOfH2(e) ? new UnforcedCommitException(e) : e;
                }
            }

            @Override
            public void rollback() {
                transaction.rollback();
            }
        };
    }
}
