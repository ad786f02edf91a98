package dev.ledger.app.commit;

/** Another transaction holds the same operation and has not ended within the bounded wait (C3, K06). */
public final class OperationInProgressException extends RuntimeException {

    public OperationInProgressException(Throwable cause) {
        super("another delivery of the same operation has not ended", cause);
    }
}
