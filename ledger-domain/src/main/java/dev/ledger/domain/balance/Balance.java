package dev.ledger.domain.balance;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The balance of one account at one moment, and the rule that leads to the next.
 *
 * @param amount in the account's smallest unit, never negative
 * @param sequence of the last operation, 0 before the first
 * @param recordedAt of the last operation
 */
public record Balance(long amount, long sequence, Instant recordedAt) {

    /** Before the first operation. */
    public static final Balance ZERO = new Balance(0, 0, Instant.EPOCH);

    public Balance {
        if (amount < 0) {
            throw new IllegalStateException("a stored balance is negative");
        }
    }

    /**
     * The whole rule, in its order (B2, B3): the receipt, then exact arithmetic, then non-negativity, only then an
     * event. Nothing changes here.
     *
     * @param known the receipt that already bears the command's operation id, if any
     * @param now the time to record
     */
    public Outcome decide(ApplyDelta command, @Nullable Receipt known, Instant now) {
        if (known != null) {
            return known.answer(command);
        }
        long delta = command.operation().delta();
        long next;
        try {
            next = Math.addExact(amount, delta);
        } catch (ArithmeticException overflow) {
            return new Outcome.Rejected(new Rejection.BalanceOverflow(amount, delta));
        }
        if (next < 0) {
            return new Outcome.Rejected(new Rejection.InsufficientBalance(amount, delta));
        }
        Receipt receipt = new Receipt(
                command.operation().operationId(),
                delta,
                next,
                command.digest(),
                ApplyDelta.HANDLER_VERSION,
                notBefore(recordedAt, now),
                sequence + 1);
        return new Outcome.Applied(DeltaApplied.of(command, receipt));
    }

    /** The balance after an event. The event carries it, so any event is as good as the whole history before it. */
    public Balance after(DeltaApplied event) {
        return new Balance(event.balance(), event.sequence(), event.recordedAt());
    }

    /** The same balance behind events that are stored but no longer read, such as an upcaster removed (K17). */
    Balance atSequence(long stored) {
        return stored == sequence ? this : new Balance(amount, stored, recordedAt);
    }

    /** Clocks of several instances differ; the history of one account must still be in order of time. */
    private static Instant notBefore(Instant last, Instant now) {
        Instant micros = now.truncatedTo(ChronoUnit.MICROS);
        return micros.isBefore(last) ? last : micros;
    }
}
