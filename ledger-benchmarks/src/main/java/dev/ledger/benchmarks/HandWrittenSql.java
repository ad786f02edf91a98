package dev.ledger.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * What a good engineer writes without a framework: the inbox row decides whether the operation is new, a guarded update moves
 * the balance, a receipt remembers the answer; one commit. 32 connections.
 */
final class HandWrittenSql implements Contender {

    private static final int CONNECTIONS = 32;

    private static final String[] SCHEMA = {
        "create table account (id text primary key, balance bigint not null check (balance >= 0))",
        "create table inbox (operation_id text primary key, digest text not null)",
        "create table receipt (operation_id text primary key, account text not null, delta bigint not null,"
                + " balance bigint not null, recorded_at timestamptz not null default now())"
    };

    private final HikariDataSource pool;

    HandWrittenSql(Postgres postgres) throws SQLException {
        pool = Postgres.pool(postgres.newDatabase(), CONNECTIONS);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : SCHEMA) {
                statement.execute(table);
            }
            connection.commit();
        }
    }

    @Override
    public String name() {
        return "hand-written SQL";
    }

    @Override
    public Round run(Scenario scenario, Duration time) throws Exception {
        return Blocking.run(CONNECTIONS, time, operation -> apply(scenario.account(operation), "op-" + operation));
    }

    private void apply(String account, String operationId) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            try (PreparedStatement inbox = connection.prepareStatement(
                            "insert into inbox (operation_id, digest) values (?, ?) on conflict do nothing");
                    PreparedStatement balance = connection.prepareStatement(
                            "insert into account as a (id, balance) values (?, ?) on conflict (id) do update"
                                    + " set balance = a.balance + excluded.balance"
                                    + " where a.balance + excluded.balance >= 0 returning balance");
                    PreparedStatement receipt = connection.prepareStatement(
                            "insert into receipt (operation_id, account, delta, balance) values (?, ?, ?, ?)")) {
                inbox.setString(1, operationId);
                inbox.setString(2, "sha-256:0000000000000000000000000000000000000000000000000000000000000000");
                if (inbox.executeUpdate() != 1) {
                    throw new IllegalStateException("every operation of the benchmark is new");
                }
                balance.setString(1, account);
                balance.setLong(2, 1);
                long after;
                try (ResultSet row = balance.executeQuery()) {
                    row.next();
                    after = row.getLong(1);
                }
                receipt.setString(1, operationId);
                receipt.setString(2, account);
                receipt.setLong(3, 1);
                receipt.setLong(4, after);
                receipt.executeUpdate();
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    @Override
    public long stored() {
        return Counting.count(pool, "select count(*) from receipt");
    }

    @Override
    public void close() {
        pool.close();
    }
}
