package dev.ledger.domain.balance;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import org.axonframework.serialization.Revision;
import org.jspecify.annotations.Nullable;

/**
 * The fact: an operation took effect. It holds the operation's content and the receipt, so that it alone answers a
 * duplicate that comes years later, and the balance after it, so that the last event of an account is its state.
 *
 * @param tenant whose account
 * @param account whose balance
 * @param operationId the operation
 * @param delta the change, in the account's smallest unit
 * @param balance the balance after the change, never negative
 * @param sequence 1, 2, 3… per account
 * @param digest of the canonical content
 * @param handlerVersion of the {@code apply-delta} handler that decided
 * @param recordedAt in microseconds, never before the account's previous operation
 */
@Revision("1")
public record DeltaApplied(
        String tenant,
        String account,
        String operationId,
        long delta,
        long balance,
        long sequence,
        String digest,
        String handlerVersion,
        Instant recordedAt,
        @Nullable Instant occurredAt,
        @Nullable String memo,
        @Nullable String causedBy,
        @Nullable SortedMap<String, String> attributes)
        implements LedgerEvent {

    /** The name under which the event is stored and sent. The class may move; this stays (E8). */
    public static final String NAME = "ledger.delta-applied";

    static DeltaApplied of(ApplyDelta command, Receipt receipt) {
        Operation operation = command.operation();
        return new DeltaApplied(
                operation.key().tenant(),
                operation.key().account(),
                receipt.operationId(),
                receipt.delta(),
                receipt.balance(),
                receipt.sequence(),
                receipt.digest().text(),
                receipt.handlerVersion(),
                receipt.recordedAt(),
                operation.occurredAt(),
                operation.memo(),
                operation.causedBy(),
                operation.attributes().isEmpty() ? null : operation.attributes());
    }

    /** The operation as it was asked for. */
    public Operation operation() {
        return new Operation(
                new AccountKey(tenant, account),
                operationId,
                delta,
                memo,
                occurredAt,
                causedBy,
                attributes == null ? Collections.emptySortedMap() : attributes);
    }

    /** The receipt that this operation's every retry gets. */
    public Receipt receipt() {
        return new Receipt(operationId, delta, balance, new Digest(digest), handlerVersion, recordedAt, sequence);
    }

    /** The identifier under which this event is stored. */
    public String eventId() {
        return EventIdentity.of(tenant, ApplyDelta.HANDLER, operationId);
    }
}
