package dev.ledger.app.store;

/** H2 failed while a commit was on its way to the disk: it may be there or not. */
public final class UnforcedCommitException extends RuntimeException {

    UnforcedCommitException(Throwable cause) {
        super("the commit may or may not have reached the disk", cause);
    }
}
