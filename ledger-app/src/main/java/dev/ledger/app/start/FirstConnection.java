package dev.ledger.app.start;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Makes the first connection before anything else of the ledger asks for one: a server that is not there yet is waited
 * for, and a failure is one failure with a known place.
 */
final class FirstConnection implements BeanPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(FirstConnection.class);

    private static final long PAUSE_MILLIS = 250;

    private final Duration patience;

    /** @param patience how long a server that cannot be reached is waited for */
    FirstConnection(Duration patience) {
        this.patience = patience;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof HikariDataSource pool && pool.getJdbcUrl() != null) {
            connect(pool);
        }
        return bean;
    }

    private void connect(HikariDataSource pool) {
        String url = pool.getJdbcUrl();
        log.info("{}\n  database {}", CommandLine.version(), DatabaseNotUsableException.place(url));
        try {
            H2Files.prepare(url);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        DataSource driver = new DriverDataSource(
                url, pool.getDriverClassName(), pool.getDataSourceProperties(), pool.getUsername(), pool.getPassword());
        // The pool is filled while the first connection is open: H2 would close its file and open it again.
        try (Connection first = await(driver, url)) {
            pool.getConnection().close();
        } catch (SQLException e) {
            throw new DatabaseNotUsableException(url, e);
        }
    }

    /**
     * The attempts are another thread's: a signal to stop interrupts this one only while it waits without a limit
     * ({@code AbstractApplicationContext.close}), and somebody who presses Ctrl-C would have to wait with it.
     */
    private Connection await(DataSource driver, String url) throws SQLException {
        CompletableFuture<Connection> connection = new CompletableFuture<>();
        Thread attempts = new Thread(() -> attempt(driver, url, connection), "first-connection");
        attempts.setDaemon(true);
        attempts.start();
        try {
            return connection.get();
        } catch (InterruptedException e) {
            attempts.interrupt();
            Thread.currentThread().interrupt();
            throw new SQLException("stopped while waiting for the database", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private void attempt(DataSource driver, String url, CompletableFuture<Connection> connection) {
        long end = System.nanoTime() + patience.toNanos();
        boolean said = false;
        try {
            while (!connection.isDone()) {
                try {
                    connection.complete(driver.getConnection());
                } catch (SQLException e) {
                    if (!DatabaseFailure.of(url, e).mayPass() || System.nanoTime() >= end) {
                        throw e;
                    }
                    if (!said) {
                        said = true;
                        log.info("Waiting up to {} s for the database: {}", patience.toSeconds(), e.getMessage());
                    }
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
        } catch (Exception e) {
            connection.completeExceptionally(e);
        }
    }
}
