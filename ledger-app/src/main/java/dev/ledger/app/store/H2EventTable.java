package dev.ledger.app.store;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.axonframework.eventhandling.DomainEventData;
import org.springframework.jdbc.core.JdbcTemplate;

/** H2 runs in this process: a statement for each row costs no round trip. */
public final class H2EventTable extends EventTable {

    private static final String APPEND =
            "insert into " + NAME + " (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String LAST_EVENTS = "select " + COLUMNS + " from (select " + COLUMNS + " from " + NAME
            + " where aggregate_identifier = ? order by sequence_number desc fetch first ? rows only)"
            + " order by sequence_number";

    private static final String BY_EVENT_ID = "select " + COLUMNS + " from " + NAME + " where event_id = ?";

    private final JdbcTemplate jdbc;

    public H2EventTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    void append(List<EventRow> rows) {
        jdbc.batchUpdate(APPEND, rows, rows.size(), (statement, row) -> {
            statement.setObject(1, row.eventId());
            statement.setString(2, row.aggregateIdentifier());
            statement.setLong(3, row.sequenceNumber());
            statement.setString(4, row.aggregateType());
            statement.setString(5, row.payloadType());
            statement.setString(6, row.payloadRevision());
            statement.setObject(7, row.recordedAt().atOffset(ZoneOffset.UTC));
            statement.setBytes(8, row.metadata());
            statement.setBytes(9, row.payload());
        });
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
