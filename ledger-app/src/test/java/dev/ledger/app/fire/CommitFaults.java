package dev.ledger.app.fire;

import java.sql.SQLException;
import java.util.function.Supplier;
import org.axonframework.common.transaction.Transaction;
import org.axonframework.common.transaction.TransactionManager;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes commits fail late, on either database: H2 knows no deferred constraints. Added to a ledger by the property
 * {@link #PROPERTY}; affects the transactions of groups only.
 */
public final class CommitFaults implements BeanPostProcessor {

    static final String PROPERTY = "spring.main.sources=dev.ledger.app.fire.CommitFaults";

    private volatile Supplier<Fault> next = () -> Fault.NONE;
    private volatile boolean outOfReach;

    enum Fault {
        NONE,
        /** The database refuses: rolled back, as a deferred constraint does. */
        REFUSED,
        /** The database has run out of something, and has rolled back. */
        EXHAUSTED,
        /** The connection broke before the commit arrived: rolled back. */
        NOT_ARRIVED,
        /** The connection broke after the commit: it is there. */
        ANSWER_LOST
    }

    /** @param faults asked at each commit of a group, by several threads */
    void next(Supplier<Fault> faults) {
        this.next = faults;
    }

    /** From now on no transaction of a group can be begun, until {@link #none}. */
    void outOfReach() {
        outOfReach = true;
    }

    void none() {
        outOfReach = false;
        next = () -> Fault.NONE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof TransactionManager transactions ? faulty(transactions) : bean;
    }

    private TransactionManager faulty(TransactionManager transactions) {
        return () -> {
            boolean ofAGroup = Thread.currentThread().getName().startsWith("ledger-commit")
                    && !TransactionSynchronizationManager.isActualTransactionActive();
            if (ofAGroup && outOfReach) {
                throw new CannotCreateTransactionException("no connection");
            }
            Transaction transaction = transactions.startTransaction();
            return ofAGroup ? faulty(transaction) : transaction;
        };
    }

    private Transaction faulty(Transaction transaction) {
        return new Transaction() {
            @Override
            public void commit() {
                switch (next.get()) {
                    case NONE -> transaction.commit();
                    case REFUSED -> {
                        transaction.rollback();
                        throw failed("a deferred constraint was violated", "23514");
                    }
                    case EXHAUSTED -> {
                        transaction.rollback();
                        throw failed("no space left on device", "53100");
                    }
                    case NOT_ARRIVED -> {
                        transaction.rollback();
                        throw failed("the connection was lost in the commit", "08006");
                    }
                    case ANSWER_LOST -> {
                        transaction.commit();
                        throw failed("the connection was lost in the commit", "08006");
                    }
                }
            }

            @Override
            public void rollback() {
                transaction.rollback();
            }
        };
    }

    private static TransactionSystemException failed(String reason, String sqlState) {
        return new TransactionSystemException("could not commit", new SQLException(reason, sqlState));
    }
}
