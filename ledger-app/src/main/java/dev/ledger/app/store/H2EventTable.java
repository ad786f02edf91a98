package dev.ledger.app.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.axonframework.eventhandling.DomainEventData;
import org.springframework.jdbc.core.BatchPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcTemplate;

/** H2 runs in this process: a statement for each row costs no round trip. */
public final class H2EventTable extends EventTable {

    /** The rows before it in the group are already there, so each row can ask for its predecessor; most need not. */
    private static final String APPEND = "insert into " + NAME + " (" + COLUMNS + ")"
            + " select ?, ?, ?, ?, ?, ?, ?, ?, ? where ? or exists (select 1 from " + NAME
            + " where aggregate_identifier = ? and sequence_number = ?)";

    private static final String LAST_EVENTS = "select " + COLUMNS + " from (select " + COLUMNS + " from " + NAME
            + " where aggregate_identifier = ? order by sequence_number desc fetch first ? rows only)"
            + " order by sequence_number";

    private static final String BY_EVENT_ID = "select " + COLUMNS + " from " + NAME + " where event_id = ?";

    private final JdbcTemplate jdbc;

    public H2EventTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    long appendBehindPredecessors(List<EventRow> rows) {
        int[] appended = jdbc.batchUpdate(APPEND, new BatchPreparedStatementSetter() {
            @Override
            public void setValues(PreparedStatement statement, int position) throws SQLException {
                set(statement, rows.get(position), needsStoredPredecessor(rows, position));
            }

            @Override
            public int getBatchSize() {
                return rows.size();
            }
        });
        return Arrays.stream(appended).asLongStream().sum();
    }

    private static void set(PreparedStatement statement, EventRow row, boolean needsPredecessor) throws SQLException {
        statement.setObject(1, row.eventId());
        statement.setString(2, row.aggregateIdentifier());
        statement.setLong(3, row.sequenceNumber());
        statement.setString(4, row.aggregateType());
        statement.setString(5, row.payloadType());
        statement.setString(6, row.payloadRevision());
        statement.setObject(7, row.recordedAt().atOffset(ZoneOffset.UTC));
        statement.setBytes(8, row.metadata());
        statement.setBytes(9, row.payload());
        statement.setBoolean(10, !needsPredecessor);
        statement.setString(11, row.aggregateIdentifier());
        statement.setLong(12, row.sequenceNumber() - 1);
    }

    @Override
    List<DomainEventData<byte[]>> lastEvents(Collection<String> aggregateIdentifiers, int eventsEach) {
        List<DomainEventData<byte[]>> events = new ArrayList<>();
        for (String aggregateIdentifier : aggregateIdentifiers) {
            events.addAll(jdbc.query(LAST_EVENTS, EventRowMapper.INSTANCE, aggregateIdentifier, eventsEach));
        }
        return events;
    }

    @Override
    List<DomainEventData<byte[]>> byEventId(Collection<String> eventIds) {
        List<DomainEventData<byte[]>> events = new ArrayList<>();
        for (String eventId : eventIds) {
            events.addAll(jdbc.query(BY_EVENT_ID, EventRowMapper.INSTANCE, UUID.fromString(eventId)));
        }
        return events;
    }
}
