package dev.ledger.app.store;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.axonframework.eventhandling.DomainEventData;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Arrays carry a whole group in one statement, whatever the group's size. Payloads are {@code bytea}, never large objects
 * (K25).
 */
public final class PostgresEventTable extends EventTable {

    /** A scalar subquery, not {@code exists}: that could be planned as a hash of the whole table. */
    private static final String APPEND = "insert into " + NAME + " (" + COLUMNS + ")"
            + " select " + COLUMNS + " from unnest(?::uuid[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[],"
            + " ?::timestamptz[], ?::bytea[], ?::bytea[], ?::boolean[]) as new (" + COLUMNS + ", needs_predecessor)"
            + " where not needs_predecessor or (select true from " + NAME + " as stored"
            + " where stored.aggregate_identifier = new.aggregate_identifier"
            + " and stored.sequence_number = new.sequence_number - 1)";

    private static final String LAST_EVENTS = "select e.* from unnest(?::text[]) as wanted(id) cross join lateral"
            + " (select " + COLUMNS + " from " + NAME + " where aggregate_identifier = wanted.id"
            + " order by sequence_number desc limit ?) as e order by e.aggregate_identifier, e.sequence_number";

    private static final String BY_EVENT_ID =
            "select " + COLUMNS + " from " + NAME + " where event_id = any (?::uuid[])";

    private final JdbcTemplate jdbc;

    public PostgresEventTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    long appendBehindPredecessors(List<EventRow> rows) {
        return requireNonNull(jdbc.execute(APPEND, (PreparedStatement statement) -> {
            Connection connection = statement.getConnection();
            setTexts(connection, statement, 1, rows, row -> row.eventId().toString());
            setTexts(connection, statement, 2, rows, EventRow::aggregateIdentifier);
            statement.setArray(
                    3,
                    connection.createArrayOf(
                            "bigint",
                            rows.stream().map(EventRow::sequenceNumber).toArray()));
            setTexts(connection, statement, 4, rows, EventRow::aggregateType);
            setTexts(connection, statement, 5, rows, EventRow::payloadType);
            setTexts(connection, statement, 6, rows, EventRow::payloadRevision);
            setTexts(connection, statement, 7, rows, row -> row.recordedAt().toString());
            setBytes(connection, statement, 8, rows, EventRow::metadata);
            setBytes(connection, statement, 9, rows, EventRow::payload);
            statement.setArray(
                    10,
                    connection.createArrayOf(
                            "boolean",
                            IntStream.range(0, rows.size())
                                    .mapToObj(position -> needsStoredPredecessor(rows, position))
                                    .toArray()));
            planForTheTableAsItIs(statement);
            return statement.executeUpdate();
        }));
    }

    @Override
    List<DomainEventData<byte[]>> lastEvents(Collection<String> aggregateIdentifiers, int eventsEach) {
        return jdbc.query(
                LAST_EVENTS,
                statement -> {
                    statement.setArray(
                            1, statement.getConnection().createArrayOf("text", aggregateIdentifiers.toArray()));
                    statement.setInt(2, eventsEach);
                },
                EventRowMapper.INSTANCE);
    }

    @Override
    List<DomainEventData<byte[]>> byEventId(Collection<String> eventIds) {
        return jdbc.query(
                BY_EVENT_ID,
                statement -> statement.setArray(1, statement.getConnection().createArrayOf("text", eventIds.toArray())),
                EventRowMapper.INSTANCE);
    }

    /**
     * A plan that is made while the table is small reads all of it for each predecessor; kept by the connection while the
     * table grows, it took seconds for a group. Planning anew takes a fraction of a millisecond.
     */
    private static void planForTheTableAsItIs(PreparedStatement statement) throws SQLException {
        statement.unwrap(PGStatement.class).setPrepareThreshold(0);
    }

    private static void setTexts(
            Connection connection,
            PreparedStatement statement,
            int position,
            List<EventRow> rows,
            Function<EventRow, ? extends @Nullable String> text)
            throws SQLException {
        statement.setArray(
                position,
                connection.createArrayOf("text", rows.stream().map(text).toArray()));
    }

    private static void setBytes(
            Connection connection,
            PreparedStatement statement,
            int position,
            List<EventRow> rows,
            Function<EventRow, byte[]> bytes)
            throws SQLException {
        statement.setArray(
                position,
                connection.createArrayOf("bytea", rows.stream().map(bytes).toArray(byte[][]::new)));
    }
}
