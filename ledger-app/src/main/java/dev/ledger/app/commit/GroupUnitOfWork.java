package dev.ledger.app.commit;

import java.util.List;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;

/**
 * A unit of work that is undone by whatever goes wrong while it commits.
 *
 * <p>Axon rolls back after an exception in the phases of a commit, not after an {@link Error}: the transaction would stay
 * bound to the partition's thread, the next group would join it, and its commit would commit nothing.
 */
final class GroupUnitOfWork extends BatchingUnitOfWork<CommandMessage<?>> {

    GroupUnitOfWork(List<CommandMessage<?>> messages) {
        super(messages);
    }

    @Override
    protected void notifyHandlers(Phase phase) {
        try {
            super.notifyHandlers(phase);
        } catch (Error e) {
            throw new IllegalStateException("an error in phase " + phase, e);
        }
    }
}
