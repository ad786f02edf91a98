package dev.ledger.app.store;

import java.util.Map;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;

/** Axon's event store, which takes an aggregate's events from what its unit of work has read ahead, if it has. */
public final class LedgerEventStore extends EmbeddedEventStore {

    private static final String READ_AHEAD = LedgerEventStore.class.getName() + ".readAhead";

    public LedgerEventStore(Builder builder) {
        super(builder);
    }

    /**
     * Keeps streams for the aggregates that this unit of work is going to load.
     *
     * @param streams an empty one where there are no events; an aggregate that has none here is read when it is loaded
     */
    public static void readAhead(UnitOfWork<?> unitOfWork, Map<String, DomainEventStream> streams) {
        unitOfWork.resources().put(READ_AHEAD, streams);
    }

    /** How many events of this aggregate the unit of work has decided and not yet appended. */
    public long staged(String aggregateIdentifier) {
        return stagedDomainEventMessages(aggregateIdentifier).count();
    }

    /** A repository loads an aggregate once in a unit of work and keeps it, so a stream is used at most once. */
    @Override
    public DomainEventStream readEvents(String aggregateIdentifier) {
        if (CurrentUnitOfWork.isStarted()) {
            Map<String, DomainEventStream> streams = CurrentUnitOfWork.get().getResource(READ_AHEAD);
            DomainEventStream stream = streams == null ? null : streams.remove(aggregateIdentifier);
            if (stream != null) {
                return stream;
            }
        }
        return super.readEvents(aggregateIdentifier);
    }
}
