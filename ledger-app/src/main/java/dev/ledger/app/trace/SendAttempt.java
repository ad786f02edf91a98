package dev.ledger.app.trace;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One try to send an event to one destination.
 *
 * @param destination by its configured name
 * @param attempt 1, 2, 3… per event and destination
 * @param at when it began
 * @param outcome such as sent, failed or unknown
 * @param detail what the outcome alone does not say; never content or secrets
 */
public record SendAttempt(
        String destination,
        int attempt,
        Instant at,
        String outcome,
        @Nullable String detail) {}
