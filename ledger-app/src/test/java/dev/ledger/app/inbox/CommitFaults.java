package dev.ledger.app.inbox;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Stands between the ledger and its real connections, and spoils the next commit of a partition's thread. */
public final class CommitFaults implements BeanPostProcessor {

    private enum Fault {
        NONE,
        REFUSE,
        LOSE_THE_ANSWER
    }

    private final AtomicReference<Fault> next = new AtomicReference<>(Fault.NONE);
    private final AtomicReference<Hold> hold = new AtomicReference<>();

    /** A commit that waits at its last step. */
    static final class Hold implements AutoCloseable {

        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        void awaitReached() throws InterruptedException {
            if (!reached.await(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("no commit came");
            }
        }

        @Override
        public void close() {
            released.countDown();
        }

        private void pass() throws InterruptedException {
            reached.countDown();
            released.await(20, TimeUnit.SECONDS);
        }
    }

    /** The database refuses the next commit. */
    void refuseNext() {
        next.set(Fault.REFUSE);
    }

    /** The next commit succeeds and its answer is lost with the connection. */
    void loseNextAnswer() {
        next.set(Fault.LOSE_THE_ANSWER);
    }

    /** The next commit waits until the hold is closed. */
    Hold holdNext() {
        Hold waiting = new Hold();
        hold.set(waiting);
        return waiting;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource dataSource ? proxy(DataSource.class, dataSource, this::spoiled) : bean;
    }

    private Object spoiled(String method, Object result) {
        return method.equals("getConnection")
                ? proxy(Connection.class, (Connection) result, (call, value) -> value)
                : result;
    }

    private interface Result {
        Object of(String method, Object result);
    }

    private <T> T proxy(Class<T> type, T target, Result result) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        commit((Connection) target);
                        return null;
                    }
                    try {
                        return result.of(method.getName(), method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void commit(Connection connection) throws SQLException, InterruptedException {
        if (!Thread.currentThread().getName().startsWith("ledger-commit")) {
            connection.commit();
            return;
        }
        Hold waiting = hold.getAndSet(null);
        if (waiting != null) {
            waiting.pass();
        }
        switch (next.getAndSet(Fault.NONE)) {
            case NONE -> connection.commit();
            case REFUSE -> throw new SQLException("the disk is full", "53100");
            case LOSE_THE_ANSWER -> {
                connection.commit();
                throw new SQLException("the connection is gone", "08006");
            }
        }
    }
}
