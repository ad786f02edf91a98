package dev.ledger.app.commit;

import dev.ledger.app.store.LedgerEventStorageEngine;
import dev.ledger.app.store.LedgerEventStore;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.DeltaApplied;
import dev.ledger.domain.balance.Receipt;
import dev.ledger.domain.balance.RecordedOperations;
import dev.ledger.domain.balance.StaleBalanceException;
import java.util.Optional;

/** Asks the event store on the connection of the unit of work that decides. */
public final class StoredOperations implements RecordedOperations {

    private final LedgerEventStorageEngine store;
    private final LedgerEventStore events;

    public StoredOperations(LedgerEventStorageEngine store, LedgerEventStore events) {
        this.store = store;
        this.events = events;
    }

    @Override
    public Optional<Receipt> find(ApplyDelta command, long lastSequence) {
        Optional<Receipt> receipt = store.findOperation(command.eventId()).map(DeltaApplied::receipt);
        if (receipt.isEmpty()) {
            requireCurrent(command.aggregateIdentifier(), lastSequence);
        }
        return receipt;
    }

    /**
     * What this unit of work has decided but not yet appended may be ahead of the store, and nothing else: another
     * instance has gone on, or the store has lost a commit that is still cached here.
     */
    private void requireCurrent(String aggregateIdentifier, long lastSequence) {
        long known = lastSequence - events.staged(aggregateIdentifier);
        long stored = store.lastSequenceNumberFor(aggregateIdentifier).orElse(-1L) + 1;
        if (stored != known) {
            throw new StaleBalanceException(aggregateIdentifier, known, stored);
        }
    }
}
