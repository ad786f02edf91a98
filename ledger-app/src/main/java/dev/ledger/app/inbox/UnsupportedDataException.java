package dev.ledger.app.inbox;

/** The data of a message is not JSON. */
public final class UnsupportedDataException extends RuntimeException {

    UnsupportedDataException() {
        super("the data of a message must be JSON");
    }
}
