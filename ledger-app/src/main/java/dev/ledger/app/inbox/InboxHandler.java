package dev.ledger.app.inbox;

import java.util.Map;
import java.util.Optional;

/**
 * What an application does with a message. Declare one as a Spring bean and it receives what is posted to
 * {@code /v1/inbox/{name}}.
 *
 * <p>It runs on the one thread of its account's partition, in the transaction that also stores its result: it must be
 * quick, write only through the application's {@code JdbcTemplate}, hand nothing to other threads, and call nobody
 * outside the database (C8); what must be sent goes through the outbox. Whatever it throws undoes all that it wrote, and
 * leaves nothing that would make the next delivery a duplicate (K33). It may run more than once for one delivery: when its
 * group is tried again, the earlier run is undone.
 */
public interface InboxHandler {

    /** Part of the key under which a message is recognised (A5); an identifier. Never renamed. */
    String name();

    /** Stored with each result (A6). Goes up when the same message would be handled otherwise. */
    String version();

    /** Whether messages of this CloudEvents type are for this handler. */
    boolean accepts(String type);

    /**
     * The account that {@link #handle} is going to change, if it changes one. Messages for one account are handled one
     * by one, in the order in which they came. Runs on the caller's thread and touches no database.
     *
     * @throws dev.ledger.domain.balance.InvalidOperationException if the message does not say which
     */
    default Optional<String> account(InboxMessage message) {
        return Optional.empty();
    }

    /**
     * @param ledger applies an operation to {@link #account}
     * @return the result, which every later delivery of the message gets; at most 64 KiB as JSON
     */
    Map<String, Object> handle(InboxMessage message, Ledger ledger);
}
