package dev.ledger.app.store;

/** An event was to be appended behind one that the store does not have: whatever it was decided on is not true. */
public final class MissingPredecessorException extends RuntimeException {

    MissingPredecessorException(int offered, long stored) {
        super("of " + offered + " events only " + stored + " have a stored predecessor");
    }
}
