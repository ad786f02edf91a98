package dev.ledger.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** A real PostgreSQL that flushes each commit to the disk before it answers. */
final class Postgres implements AutoCloseable {

    private final EmbeddedPostgres server;
    private int databases;

    Postgres() throws IOException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("shared_buffers", "1GB")
                .setServerConfig("max_wal_size", "4GB")
                .setServerConfig("max_connections", "300")
                .start();
    }

    /** A fresh database, as a JDBC URL. */
    String newDatabase() throws SQLException {
        String name = "bench_" + ++databases;
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return "jdbc:postgresql://localhost:" + server.getPort() + "/" + name;
    }

    static HikariDataSource pool(String url, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername("postgres");
        config.setAutoCommit(false);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    /** What the server itself says of the settings that make a commit durable. */
    Map<String, String> settings() throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            for (String name :
                    new String[] {"server_version", "fsync", "synchronous_commit", "full_page_writes", "shared_buffers"
                    }) {
                try (ResultSet value = statement.executeQuery("show " + name)) {
                    value.next();
                    settings.put(name, value.getString(1));
                }
            }
        }
        return settings;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
