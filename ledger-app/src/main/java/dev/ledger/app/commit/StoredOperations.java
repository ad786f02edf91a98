package dev.ledger.app.commit;

import dev.ledger.app.store.LedgerEventStorageEngine;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.DeltaApplied;
import dev.ledger.domain.balance.Receipt;
import dev.ledger.domain.balance.RecordedOperations;
import dev.ledger.domain.balance.StaleBalanceException;
import java.util.Optional;

/** Asks the event store on the connection of the unit of work that decides. */
public final class StoredOperations implements RecordedOperations {

    private final LedgerEventStorageEngine store;

    public StoredOperations(LedgerEventStorageEngine store) {
        this.store = store;
    }

    @Override
    public Optional<Receipt> find(ApplyDelta command, long lastSequence) {
        Optional<Receipt> receipt = store.findOperation(command.eventId()).map(DeltaApplied::receipt);
        if (receipt.isEmpty()) {
            requireCurrent(command.aggregateIdentifier(), lastSequence);
        }
        return receipt;
    }

    /** What this unit of work has decided but not yet appended is ahead of the store; only the reverse is stale. */
    private void requireCurrent(String aggregateIdentifier, long lastSequence) {
        long stored = store.lastSequenceNumberFor(aggregateIdentifier).orElse(-1L) + 1;
        if (stored > lastSequence) {
            throw new StaleBalanceException(aggregateIdentifier, lastSequence, stored);
        }
    }
}
