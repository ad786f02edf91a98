package dev.ledger.app.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import org.axonframework.eventhandling.DomainEventData;
import org.axonframework.eventhandling.GenericDomainEventEntry;
import org.springframework.jdbc.core.RowMapper;

/** Reads {@link EventTable#COLUMNS}. */
final class EventRowMapper implements RowMapper<DomainEventData<byte[]>> {

    static final EventRowMapper INSTANCE = new EventRowMapper();

    private EventRowMapper() {}

    @Override
    public DomainEventData<byte[]> mapRow(ResultSet row, int rowNumber) throws SQLException {
        return new GenericDomainEventEntry<>(
                row.getString("aggregate_type"),
                row.getString("aggregate_identifier"),
                row.getLong("sequence_number"),
                row.getString("event_id"),
                row.getObject("recorded_at", OffsetDateTime.class).toInstant(),
                row.getString("payload_type"),
                row.getString("payload_revision"),
                row.getBytes("payload"),
                row.getBytes("metadata"));
    }
}
