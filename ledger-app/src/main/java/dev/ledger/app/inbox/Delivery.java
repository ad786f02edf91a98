package dev.ledger.app.inbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message to a handler (D1).
 *
 * @param outcome applied, duplicate, conflict, rejected, invalid, in-progress, unknown or failed
 * @param at when it was judged, in microseconds
 * @param detail what the outcome alone does not say, such as the kind of the failure; never content
 * @param replay the job that delivered it again
 */
public record Delivery(
        String tenant,
        String handler,
        String eventId,
        String handlerVersion,
        String outcome,
        Instant at,
        @Nullable String detail,
        @Nullable String replay) {

    static final String APPLIED = "applied";
    static final String DUPLICATE = "duplicate";
    static final String CONFLICT = "conflict";
    static final String REJECTED = "rejected";
    static final String INVALID = "invalid";
    static final String IN_PROGRESS = "in-progress";
    static final String UNKNOWN = "unknown";
    static final String FAILED = "failed";
}
