package dev.ledger.app.trace;

import dev.ledger.domain.balance.DeltaApplied;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The three records of one operation (D1).
 *
 * @param fact what happened; null if a message was delivered and nothing happened to an account
 * @param sendAttempts oldest first for each destination
 * @param deliveries in order of time
 */
public record OperationTrace(@Nullable Fact fact, List<SendAttempt> sendAttempts, List<TracedDelivery> deliveries) {

    /**
     * @param correlationId of the story that it belongs to
     * @param causationId of the message that it followed from
     */
    public record Fact(
            DeltaApplied event,
            @Nullable String correlationId,
            @Nullable String causationId) {}
}
