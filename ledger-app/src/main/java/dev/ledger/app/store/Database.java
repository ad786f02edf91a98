package dev.ledger.app.store;

import javax.sql.DataSource;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/** The two databases that the ledger runs on. */
public enum Database {
    H2,
    POSTGRESQL;

    /** @throws IllegalStateException if it is neither, or cannot be reached */
    public static Database of(DataSource dataSource) {
        String product;
        try {
            product = JdbcUtils.extractDatabaseMetaData(dataSource, metaData -> metaData.getDatabaseProductName());
        } catch (MetaDataAccessException e) {
            throw new IllegalStateException("the database cannot be asked what it is", e);
        }
        return switch (product) {
            case "H2" -> H2;
            case "PostgreSQL" -> POSTGRESQL;
            default -> throw new IllegalStateException("the ledger runs on H2 and PostgreSQL, not on " + product);
        };
    }
}
