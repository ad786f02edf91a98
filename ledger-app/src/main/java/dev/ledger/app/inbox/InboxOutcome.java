package dev.ledger.app.inbox;

/** What became of a delivery, once its transaction has committed (C5). A failure is an exception. */
public sealed interface InboxOutcome {

    /**
     * Took effect now.
     *
     * @param result JSON
     */
    record Applied(String result, String handlerVersion) implements InboxOutcome {}

    /**
     * Had taken effect before: the stored result.
     *
     * @param handlerVersion of the handler that made the result
     */
    record Duplicate(String result, String handlerVersion) implements InboxOutcome {}

    /** The id belongs to other content (A4). Kept as evidence. */
    record Conflict(String storedDigest, String offeredDigest) implements InboxOutcome {}
}
