package dev.ledger.domain.balance;

import java.time.Instant;

/**
 * The proof that an operation took effect (B5). Immutable: a retry gets this one, although today's balance may differ.
 *
 * <p>It holds no content: whoever presents the same digest has the content, and whoever does not must not see it (K02).
 * A receipt therefore costs the same few bytes however long the memo was.
 *
 * @param delta the change that was applied, in the account's smallest unit
 * @param balance the balance after this operation, never negative
 * @param digest of the canonical content
 * @param handlerVersion of the handler that decided
 * @param recordedAt in microseconds
 * @param sequence 1, 2, 3… per account
 */
public record Receipt(
        String operationId,
        long delta,
        long balance,
        Digest digest,
        String handlerVersion,
        Instant recordedAt,
        long sequence) {

    /** What this receipt answers to a command that carries its id: itself, or a conflict (A4, B2). */
    public Outcome answer(ApplyDelta command) {
        return digest.equals(command.digest())
                ? new Outcome.Replayed(this)
                : new Outcome.Rejected(new Rejection.OperationConflict(digest, command.digest()));
    }
}
