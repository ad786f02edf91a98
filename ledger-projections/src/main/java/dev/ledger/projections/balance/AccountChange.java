package dev.ledger.projections.balance;

import dev.ledger.domain.balance.DeltaApplied;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a batch of events does to one account.
 *
 * @param balance after the batch's latest operation
 * @param sequence of that operation
 * @param operations how many there were
 * @param updatedAt when the latest was recorded
 */
public record AccountChange(
        String tenant, String account, long balance, long sequence, long operations, Instant updatedAt) {

    /** In the order of their keys, so that two batches lock accounts in the same order. */
    static List<AccountChange> of(Collection<DeltaApplied> events) {
        Map<List<String>, AccountChange> changes = new TreeMap<>(
                Comparator.<List<String>, String>comparing(key -> key.get(0)).thenComparing(key -> key.get(1)));
        for (DeltaApplied event : events) {
            changes.merge(List.of(event.tenant(), event.account()), of(event), AccountChange::with);
        }
        return new ArrayList<>(changes.values());
    }

    private static AccountChange of(DeltaApplied event) {
        return new AccountChange(
                event.tenant(), event.account(), event.balance(), event.sequence(), 1, event.recordedAt());
    }

    private AccountChange with(AccountChange other) {
        AccountChange latest = other.sequence > sequence ? other : this;
        return new AccountChange(
                tenant, account, latest.balance, latest.sequence, operations + other.operations, latest.updatedAt);
    }
}
