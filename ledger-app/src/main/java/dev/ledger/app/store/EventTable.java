package dev.ledger.app.store;

import java.util.Collection;
import java.util.List;
import org.axonframework.eventhandling.DomainEventData;

/** The SQL on {@code domain_event} that Axon's engine does not have. One class for each database. */
public abstract sealed class EventTable permits PostgresEventTable, H2EventTable {

    static final String NAME = "domain_event";

    /** One event for each identity, whoever writes it: the arbiter of duplicates. */
    public static final String EVENT_ID_CONSTRAINT = "domain_event_event_id_key";

    /** One event for each step of an aggregate: the arbiter between instances that decide for one account at once. */
    public static final String SEQUENCE_CONSTRAINT = "domain_event_aggregate_sequence_key";

    static final String COLUMNS = "event_id, aggregate_identifier, sequence_number, aggregate_type, payload_type,"
            + " payload_revision, recorded_at, metadata, payload";

    /**
     * Appends in one round trip, each event only behind its predecessor. Runs in the caller's transaction; the two unique
     * constraints decide between those who append, the predecessor whether what they decided on is still stored.
     *
     * @param rows in order of aggregate and sequence
     * @throws MissingPredecessorException if the store lacks what one of them follows; the transaction must not commit
     */
    final void append(List<EventRow> rows) {
        long appended = appendBehindPredecessors(rows);
        if (appended != rows.size()) {
            throw new MissingPredecessorException(rows.size(), appended);
        }
    }

    /** @return how many of the rows were appended */
    abstract long appendBehindPredecessors(List<EventRow> rows);

    /** Whether the store must already have the step before this row: it is neither the first nor behind another row. */
    static boolean needsStoredPredecessor(List<EventRow> rows, int position) {
        EventRow row = rows.get(position);
        return row.sequenceNumber() > 0 && (position == 0 || !row.follows(rows.get(position - 1)));
    }

    /** The last events of each aggregate, oldest first within one; aggregates without events are left out. */
    abstract List<DomainEventData<byte[]>> lastEvents(Collection<String> aggregateIdentifiers, int eventsEach);

    /** The events that are stored under these identities. */
    abstract List<DomainEventData<byte[]>> byEventId(Collection<String> eventIds);
}
