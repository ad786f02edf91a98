package dev.ledger.app.commit;

/** The commit's result could not be learnt in time (C6): the operation took effect once or not at all. */
public final class OutcomeUnknownException extends RuntimeException {

    public OutcomeUnknownException(Throwable cause) {
        super("the result of the commit could not be learnt; retry with the same id", cause);
    }
}
