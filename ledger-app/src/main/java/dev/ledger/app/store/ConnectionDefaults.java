package dev.ledger.app.store;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * What every connection gets, unless {@code spring.datasource.hikari} says otherwise: an operator configures the URL and
 * nothing else.
 */
final class ConnectionDefaults implements BeanPostProcessor {

    private final Duration lockTimeout;

    /**
     * @param lockTimeout how long a statement waits for another transaction's lock (C3, K06)
     */
    ConnectionDefaults(Duration lockTimeout) {
        this.lockTimeout = lockTimeout;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof HikariDataSource pool && pool.getJdbcUrl() != null) {
            if (pool.getJdbcUrl().startsWith("jdbc:postgresql:")) {
                postgres(pool);
            } else if (pool.getJdbcUrl().startsWith("jdbc:h2:") && pool.getConnectionInitSql() == null) {
                pool.setConnectionInitSql("set lock_timeout " + lockTimeout.toMillis());
            }
        }
        return bean;
    }

    private void postgres(HikariDataSource pool) {
        setDefault(pool, "ApplicationName", "ledger");
        setDefault(pool, "reWriteBatchedInserts", "true");
        setDefault(pool, "tcpKeepAlive", "true");
        // A server that vanished without a word is noticed, and the outcome looked up (C6).
        setDefault(pool, "connectTimeout", "5");
        setDefault(pool, "socketTimeout", "60");
        setDefault(pool, "options", "-c lock_timeout=" + lockTimeout.toMillis());
    }

    private static void setDefault(HikariDataSource pool, String property, String value) {
        pool.getDataSourceProperties().putIfAbsent(property, value);
    }
}
