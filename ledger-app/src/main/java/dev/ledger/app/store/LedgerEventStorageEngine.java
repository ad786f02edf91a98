package dev.ledger.app.store;

import static java.util.stream.Collectors.groupingBy;

import dev.ledger.domain.balance.DeltaApplied;
import dev.ledger.domain.balance.Receipt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.axonframework.eventhandling.DomainEventData;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventsourcing.EventStreamUtils;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.jdbc.EventSchema;
import org.axonframework.eventsourcing.eventstore.jdbc.JdbcEventStorageEngine;
import org.axonframework.serialization.SerializedObject;
import org.axonframework.serialization.Serializer;

/**
 * Axon's JDBC engine on {@code domain_event}, with three differences: a group of events is one statement, an aggregate
 * is read from its last events only, and stored receipts can be found by event identity.
 *
 * <p>There are no snapshots: {@link DeltaApplied} carries the balance after it, so each event is one.
 */
public final class LedgerEventStorageEngine extends JdbcEventStorageEngine {

    /** Names as in the migration. */
    public static final EventSchema SCHEMA = EventSchema.builder()
            .eventTable(EventTable.NAME)
            .globalIndexColumn("global_index")
            .eventIdentifierColumn("event_id")
            .aggregateIdentifierColumn("aggregate_identifier")
            .sequenceNumberColumn("sequence_number")
            .typeColumn("aggregate_type")
            .payloadTypeColumn("payload_type")
            .payloadRevisionColumn("payload_revision")
            .timestampColumn("recorded_at")
            .metaDataColumn("metadata")
            .payloadColumn("payload")
            .build();

    private final EventTable table;
    private final int eventsPerAggregate;

    /**
     * @param eventsPerAggregate how many of an aggregate's last events restore it
     */
    public LedgerEventStorageEngine(Builder builder, EventTable table, int eventsPerAggregate) {
        super(builder.schema(SCHEMA)
                .createTokenAt(LedgerEventStorageEngine::tokenAt)
                .readEventDataWithGaps(LedgerEventStorageEngine::eventsAndGaps));
        this.table = table;
        this.eventsPerAggregate = eventsPerAggregate;
    }

    /**
     * Commits together with whatever else the caller's transaction did. Rows go in order of their aggregates, so that two
     * instances that write the same accounts wait for each other and do not deadlock.
     */
    @Override
    protected void appendEvents(List<? extends EventMessage<?>> events, Serializer serializer) {
        if (events.isEmpty()) {
            return;
        }
        List<EventRow> rows = new ArrayList<>(events.size());
        for (EventMessage<?> event : events) {
            rows.add(row(event, serializer));
        }
        rows.sort(Comparator.comparing(EventRow::aggregateIdentifier).thenComparingLong(EventRow::sequenceNumber));
        try {
            table.append(rows);
        } catch (RuntimeException e) {
            handlePersistenceException(e, events.get(0));
        }
    }

    private static EventRow row(EventMessage<?> event, Serializer serializer) {
        SerializedObject<byte[]> payload = event.serializePayload(serializer, byte[].class);
        SerializedObject<byte[]> metadata = event.serializeMetaData(serializer, byte[].class);
        boolean domain = event instanceof DomainEventMessage;
        DomainEventMessage<?> domainEvent = domain ? (DomainEventMessage<?>) event : null;
        return new EventRow(
                UUID.fromString(event.getIdentifier()),
                domainEvent == null ? event.getIdentifier() : domainEvent.getAggregateIdentifier(),
                domainEvent == null ? 0 : domainEvent.getSequenceNumber(),
                domainEvent == null ? null : domainEvent.getType(),
                payload.getType().getName(),
                payload.getType().getRevision(),
                event.getTimestamp(),
                metadata.getData(),
                payload.getData());
    }

    /**
     * The last events only: they are enough to restore a balance, and there may be millions before them (B7).
     *
     * @throws UnreadableHistoryException if there are events and none of the last can be read; it would pass for new
     */
    @Override
    public DomainEventStream readEvents(String aggregateIdentifier) {
        List<DomainEventData<byte[]>> events = table.lastEvents(List.of(aggregateIdentifier), eventsPerAggregate);
        DomainEventStream stream = messages(events);
        if (!events.isEmpty() && !stream.hasNext()) {
            throw new UnreadableHistoryException(aggregateIdentifier, events.size());
        }
        return stream;
    }

    /**
     * The same for many aggregates in one round trip; one that has no events maps to an empty stream. One whose events
     * cannot be read is left out: whoever loads it is told so, and not the others.
     */
    public Map<String, DomainEventStream> readEvents(Collection<String> aggregateIdentifiers) {
        Map<String, List<DomainEventData<byte[]>>> events =
                table.lastEvents(aggregateIdentifiers, eventsPerAggregate).stream()
                        .collect(groupingBy(DomainEventData::getAggregateIdentifier));
        Map<String, DomainEventStream> streams = new LinkedHashMap<>();
        for (String aggregateIdentifier : aggregateIdentifiers) {
            List<DomainEventData<byte[]>> stored = events.getOrDefault(aggregateIdentifier, List.of());
            DomainEventStream stream = messages(stored);
            if (stored.isEmpty() || stream.hasNext()) {
                streams.put(aggregateIdentifier, stream);
            }
        }
        return streams;
    }

    /** The operation that is stored under this identity. */
    public Optional<DeltaApplied> findOperation(String eventId) {
        return operations(List.of(eventId)).findFirst();
    }

    /** The event that is stored under this identity, with its metadata. */
    public Optional<DomainEventMessage<?>> findEvent(String eventId) {
        return EventStreamUtils.asStream(messages(table.byEventId(List.of(eventId))))
                .<DomainEventMessage<?>>map(event -> event)
                .findFirst();
    }

    /** The receipts that are stored under these identities, by event id; in one round trip. */
    public Map<String, Receipt> findReceipts(Collection<String> eventIds) {
        Map<String, Receipt> receipts = new HashMap<>();
        operations(eventIds).forEach(event -> receipts.put(event.eventId(), event.receipt()));
        return receipts;
    }

    private Stream<DeltaApplied> operations(Collection<String> eventIds) {
        return EventStreamUtils.asStream(messages(table.byEventId(eventIds)))
                .map(DomainEventMessage::getPayload)
                .filter(DeltaApplied.class::isInstance)
                .map(DeltaApplied.class::cast);
    }

    private DomainEventStream messages(List<DomainEventData<byte[]>> events) {
        return EventStreamUtils.upcastAndDeserializeDomainEvents(events.stream(), getEventSerializer(), upcasterChain);
    }

    @Override
    protected Stream<? extends DomainEventData<?>> readSnapshotData(String aggregateIdentifier) {
        return Stream.empty();
    }

    @Override
    protected void storeSnapshot(DomainEventMessage<?> snapshot, Serializer serializer) {
        throw new UnsupportedOperationException("every event carries the balance after it: there are no snapshots");
    }

    private static PreparedStatement tokenAt(Connection connection, EventSchema schema, Instant at)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement("select min(" + schema.globalIndexColumn()
                + ") - 1 from " + schema.domainEventTable() + " where " + schema.timestampColumn() + " >= ?");
        statement.setObject(1, at.atOffset(ZoneOffset.UTC));
        return statement;
    }

    /** Two index scans. Axon's one condition with "or" makes H2 read the whole table. */
    private static PreparedStatement eventsAndGaps(
            Connection connection, EventSchema schema, long globalIndex, int batchSize, List<Long> gaps)
            throws SQLException {
        String select = "select " + schema.trackedEventFields() + " from " + schema.domainEventTable() + " where "
                + schema.globalIndexColumn();
        PreparedStatement statement = connection.prepareStatement(
                select + " > ? and " + schema.globalIndexColumn() + " <= ? union all " + select + " in ("
                        + String.join(",", Collections.nCopies(gaps.size(), "?")) + ") order by "
                        + schema.globalIndexColumn());
        statement.setLong(1, globalIndex);
        statement.setLong(2, globalIndex + batchSize);
        for (int i = 0; i < gaps.size(); i++) {
            statement.setLong(i + 3, gaps.get(i));
        }
        return statement;
    }

    @Override
    protected Object readTimeStamp(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
