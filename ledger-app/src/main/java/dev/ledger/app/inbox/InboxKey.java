package dev.ledger.app.inbox;

import java.util.Comparator;

/** What a message is recognised by (A5). */
record InboxKey(String tenant, String handler, String eventId) {

    /** Groups insert in this order, so that two of them wait for each other and do not deadlock. */
    static final Comparator<InboxKey> ORDER = Comparator.comparing(InboxKey::tenant)
            .thenComparing(InboxKey::handler)
            .thenComparing(InboxKey::eventId);
}
