package dev.ledger.app.store;

/** An aggregate has events, and none of the last ones can be read: it is not new, and nothing can be decided for it (K17). */
public final class UnreadableHistoryException extends RuntimeException {

    UnreadableHistoryException(String aggregateIdentifier, int events) {
        super("none of the last " + events + " events of " + aggregateIdentifier + " is left after upcasting");
    }
}
