package dev.ledger.projections.dedup;

import java.util.Comparator;
import java.util.UUID;

/** What an event is recognised by within one handler (A5). */
public record EventKey(String tenant, UUID eventId) {

    /** Batches claim in this order, so that two of them wait for each other and do not deadlock. */
    static final Comparator<EventKey> ORDER =
            Comparator.comparing(EventKey::tenant).thenComparing(EventKey::eventId);
}
