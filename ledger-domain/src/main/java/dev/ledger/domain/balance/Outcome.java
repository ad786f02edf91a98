package dev.ledger.domain.balance;

/** What became of a command. A rejection is a result, not an exception: it rolls nothing back. */
public sealed interface Outcome {

    /** Took effect now, as this event. */
    record Applied(DeltaApplied event) implements Outcome {
        public Receipt receipt() {
            return event.receipt();
        }
    }

    /** Had taken effect before; the first receipt again. */
    record Replayed(Receipt receipt) implements Outcome {}

    /** Had no effect. */
    record Rejected(Rejection rejection) implements Outcome {}
}
