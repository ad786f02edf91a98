package dev.ledger.projections.dedup;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries of one event to one handler that had one outcome.
 *
 * @param handlerVersion of the handler that judged it; null if a reset has forgotten that
 * @param outcome applied, duplicate or conflict
 * @param times how many deliveries these are
 * @param at of the last of them
 */
public record HandledDelivery(
        String handler, @Nullable String handlerVersion, String outcome, long times, Instant at) {}
