package dev.ledger.app.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One row of {@code domain_event}, as it is appended; the database adds the global index. */
record EventRow(
        UUID eventId,
        String aggregateIdentifier,
        long sequenceNumber,
        @Nullable String aggregateType,
        String payloadType,
        @Nullable String payloadRevision,
        Instant recordedAt,
        byte[] metadata,
        byte[] payload) {

    /** Whether this is the next step of the same aggregate. */
    boolean follows(EventRow other) {
        return sequenceNumber == other.sequenceNumber + 1 && aggregateIdentifier.equals(other.aggregateIdentifier);
    }
}
