package dev.ledger.app.commit;

import dev.ledger.domain.balance.Rejection;

/**
 * The ledger refused an operation that was part of something larger, and the whole of it is undone. Nothing is stored, so
 * that it may be tried again (B4).
 */
public final class OperationRejectedException extends RuntimeException {

    private final transient Rejection rejection;

    public OperationRejectedException(Rejection rejection) {
        // No stack trace: this is an answer, not a fault.
        super(rejection.toString(), null, false, false);
        this.rejection = rejection;
    }

    public Rejection rejection() {
        return rejection;
    }
}
