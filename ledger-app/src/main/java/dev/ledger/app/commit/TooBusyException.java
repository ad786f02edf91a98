package dev.ledger.app.commit;

/** A bounded queue is full, or the ledger is stopping: nothing was applied, the caller may come back. */
public final class TooBusyException extends RuntimeException {

    public TooBusyException(String message) {
        super(message);
    }
}
