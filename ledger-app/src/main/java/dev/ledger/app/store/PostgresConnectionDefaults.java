package dev.ledger.app.store;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * What every connection to PostgreSQL gets, unless {@code spring.datasource.hikari.data-source-properties} says
 * otherwise: an operator configures the URL and nothing else.
 */
final class PostgresConnectionDefaults implements BeanPostProcessor {

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof HikariDataSource pool
                && pool.getJdbcUrl() != null
                && pool.getJdbcUrl().startsWith("jdbc:postgresql:")) {
            setDefault(pool, "ApplicationName", "ledger");
            setDefault(pool, "reWriteBatchedInserts", "true");
            setDefault(pool, "tcpKeepAlive", "true");
            // A server that vanished without a word is noticed, and the outcome looked up (C6).
            setDefault(pool, "connectTimeout", "5");
            setDefault(pool, "socketTimeout", "60");
            // Nobody waits for another's lock for longer than this (C3, K06).
            setDefault(pool, "options", "-c lock_timeout=1s");
        }
        return bean;
    }

    private static void setDefault(HikariDataSource pool, String property, String value) {
        pool.getDataSourceProperties().putIfAbsent(property, value);
    }
}
