package dev.ledger.projections.sql;

import dev.ledger.domain.balance.DeltaApplied;
import dev.ledger.projections.balance.AccountChange;
import dev.ledger.projections.dedup.EventKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * The writes of a batch, each in one round trip where the database is a server. All run in the transaction of the batch,
 * together with the processor's token.
 */
public interface ProjectionSql {

    /**
     * Claims events for a handler. The primary key decides; a claim that another transaction holds is waited for.
     *
     * @param offered the digest of each event
     * @return those that were not claimed before
     */
    Set<EventKey> claim(String handler, String handlerVersion, Map<EventKey, String> offered);

    /** The digests under which events were claimed before. */
    Map<EventKey, String> claimed(String handler, Set<EventKey> keys);

    /** Counts deliveries of events that the handler had handled before. */
    void countRepeats(String handler, SortedMap<EventKey, Integer> repeats);

    /** Adds up the operations of each account and moves its balance on, never back to an older sequence (A9). */
    void moveBalances(List<AccountChange> changes);

    void addOperations(List<DeltaApplied> events);
}
