package dev.ledger.app.inbox;

import java.util.List;

/** What is on record of deliveries to the inbox. */
@FunctionalInterface
public interface Deliveries {

    /**
     * All deliveries of a message to all handlers, those that took effect included, in the order in which they were
     * judged.
     */
    List<Delivery> find(String tenant, String eventId);
}
