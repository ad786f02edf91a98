package dev.ledger.domain.balance;

import java.util.Optional;

/**
 * What the event store knows beyond an aggregate's memory: operations whose receipts have left it, operations on other
 * accounts, and what other instances did in the meantime.
 */
public interface RecordedOperations {

    /**
     * The receipt that is stored under the command's event identity, on whichever account of the tenant.
     *
     * @param lastSequence the account's last sequence as the aggregate knows it
     * @throws StaleBalanceException if the store has another one: whatever was decided is void
     */
    Optional<Receipt> find(ApplyDelta command, long lastSequence);
}
