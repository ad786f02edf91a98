package dev.ledger.domain.balance;

import java.time.Clock;
import java.util.Optional;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.common.caching.Cache;
import org.axonframework.config.AggregateConfigurer;
import org.axonframework.config.Configuration;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.command.ConcurrencyException;
import org.jspecify.annotations.Nullable;

/** One running instance of the ledger without its application: Axon, the aggregate, and a store that others may share. */
final class Instance implements AutoCloseable {

    /** An attempt that met a constraint is made again on fresh state, and alone on the store it then succeeds. */
    private static final int ATTEMPTS = 2;

    private final MemoryStore store;
    private final Configuration axon;

    private Instance(MemoryStore store, Configuration axon) {
        this.store = store;
        this.axon = axon;
        axon.start();
    }

    static Instance on(MemoryStore store, Clock clock, @Nullable Cache cache) {
        AggregateConfigurer<BalanceAggregate> aggregate = AggregateConfigurer.defaultConfiguration(
                        BalanceAggregate.class)
                .configureCreationPolicyAggregateFactory(axon -> id -> new BalanceAggregate(String.valueOf(id)));
        if (cache != null) {
            aggregate.configureCache(axon -> cache);
        }
        return new Instance(
                store,
                DefaultConfigurer.defaultConfiguration(false)
                        .configureCommandBus(axon -> SimpleCommandBus.builder().build())
                        .configureEventStore(axon -> eventStore(store))
                        .registerComponent(RecordedOperations.class, axon -> store)
                        .registerComponent(Clock.class, axon -> clock)
                        .configureAggregate(aggregate)
                        .buildConfiguration());
    }

    /** What a caller is told: after a constraint of the store, what the store knows (A5, B6). */
    Outcome send(ApplyDelta command) {
        for (int attempt = 1; ; attempt++) {
            try {
                return axon.commandGateway().sendAndWait(command);
            } catch (ConcurrencyException | StaleBalanceException overtaken) {
                Optional<Receipt> receipt = store.receipt(command);
                if (receipt.isPresent()) {
                    return receipt.get().answer(command);
                }
                if (attempt == ATTEMPTS) {
                    throw overtaken;
                }
            }
        }
    }

    private static EventStore eventStore(MemoryStore store) {
        EventStore eventStore =
                EmbeddedEventStore.builder().storageEngine(store).build();
        eventStore.registerDispatchInterceptor(events ->
                (index, event) -> identified((DomainEventMessage<?>) event, (DeltaApplied) event.getPayload()));
        return eventStore;
    }

    private static EventMessage<?> identified(DomainEventMessage<?> event, DeltaApplied applied) {
        return new GenericDomainEventMessage<>(
                event.getType(),
                event.getAggregateIdentifier(),
                event.getSequenceNumber(),
                applied,
                event.getMetaData(),
                applied.eventId(),
                applied.recordedAt());
    }

    @Override
    public void close() {
        axon.shutdown();
    }
}
