package dev.ledger.app.trace;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A delivery of the event to a processor, or of the message that caused it to an inbox handler.
 *
 * @param handlerVersion null if it is no longer known
 * @param at when it was judged
 * @param times how many deliveries are told here, the last of them at that time; more than 1 for repeats to a processor
 * @param detail what the outcome alone does not say
 * @param replay the job that delivered it again
 */
public record TracedDelivery(
        String handler,
        @Nullable String handlerVersion,
        Instant at,
        String outcome,
        long times,
        @Nullable String detail,
        @Nullable String replay) {}
