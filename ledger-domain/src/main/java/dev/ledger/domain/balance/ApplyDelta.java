package dev.ledger.domain.balance;

import org.axonframework.modelling.command.TargetAggregateIdentifier;

/**
 * The command: apply this operation once. Digest and event identity are worked out here, on the caller's thread, and
 * not on the one thread that decides for the account.
 */
public final class ApplyDelta {

    /** The handler that an operation id is bound to (A5). */
    public static final String HANDLER = "apply-delta";

    /** Stored with every receipt. Goes up when the same content would be decided otherwise. */
    public static final String HANDLER_VERSION = "1";

    private final Operation operation;
    private final Digest digest;
    private final String eventId;
    private final String aggregateIdentifier;

    public ApplyDelta(Operation operation) {
        this.operation = operation;
        this.digest = Digest.of(operation);
        this.eventId = EventIdentity.of(operation.key().tenant(), HANDLER, operation.operationId());
        this.aggregateIdentifier = operation.key().aggregateIdentifier();
    }

    public Operation operation() {
        return operation;
    }

    public Digest digest() {
        return digest;
    }

    /** The identifier that the event of this operation has, or will have. */
    public String eventId() {
        return eventId;
    }

    @TargetAggregateIdentifier
    public String aggregateIdentifier() {
        return aggregateIdentifier;
    }

    @Override
    public String toString() {
        return "ApplyDelta[" + aggregateIdentifier + ", " + operation.operationId() + "]";
    }
}
