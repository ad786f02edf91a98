package dev.ledger.app.commit;

import dev.ledger.app.store.LedgerEventStorageEngine;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.Outcome;
import dev.ledger.domain.balance.Receipt;
import java.util.List;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;

/** Applies an operation within the unit of work of a command that {@link ChangesAccount}: one transaction, one commit. */
public final class NestedOperations {

    private final GroupCommitCommandBus bus;
    private final LedgerEventStorageEngine store;

    NestedOperations(GroupCommitCommandBus bus, LedgerEventStorageEngine store) {
        this.bus = bus;
        this.store = store;
    }

    /**
     * @return the outcome, true only once the surrounding unit of work has committed
     * @throws IllegalStateException outside the unit of work of a command for the same account
     */
    public Outcome apply(Operation operation) {
        ApplyDelta command = new ApplyDelta(operation);
        if (ReadAheadInterceptor.looksUpReceipts(CurrentUnitOfWork.get())) {
            Receipt stored = store.findReceipts(List.of(command.eventId())).get(command.eventId());
            if (stored != null) {
                return stored.answer(command);
            }
        }
        return (Outcome) bus.handleWithin(command);
    }
}
