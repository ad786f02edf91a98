package dev.ledger.app.trace;

import java.util.List;

/** What a relay knows of its tries. Each relay is a bean of this type. */
@FunctionalInterface
public interface SendAttempts {

    /** The tries to send this event, oldest first. */
    List<SendAttempt> find(String tenant, String eventId);
}
