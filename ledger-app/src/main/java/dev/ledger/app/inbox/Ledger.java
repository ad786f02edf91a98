package dev.ledger.app.inbox;

import dev.ledger.app.commit.OperationRejectedException;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.Receipt;

/** The ledger, as a handler sees it. */
@FunctionalInterface
public interface Ledger {

    /**
     * Applies an operation in the transaction of the message, or finds that it is applied already.
     *
     * @throws OperationRejectedException if the ledger refuses it; let through, it undoes the whole delivery and the
     *     message may be delivered again when the balance allows it (B4)
     */
    Receipt apply(Operation operation);
}
