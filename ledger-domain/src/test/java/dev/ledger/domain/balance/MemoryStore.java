package dev.ledger.domain.balance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.axonframework.modelling.command.ConcurrencyException;

/**
 * Axon's store in memory, with what the ledger needs of the real one: one event per identity, one per sequence of an
 * account, an account read from its last events only, and receipts found by identity.
 */
final class MemoryStore extends InMemoryEventStorageEngine implements RecordedOperations {

    private final Map<String, DeltaApplied> byIdentity = new HashMap<>();
    private final Map<String, List<DomainEventMessage<?>>> byAggregate = new HashMap<>();
    private final Set<String> unread = new HashSet<>();

    /** From now on the event is stored but not read, as if an upcaster removed it. */
    void hide(String eventId) {
        unread.add(eventId);
    }

    List<DomainEventMessage<?>> events(String aggregateIdentifier) {
        return byAggregate.getOrDefault(aggregateIdentifier, List.of());
    }

    Optional<Receipt> receipt(ApplyDelta command) {
        return Optional.ofNullable(byIdentity.get(command.eventId())).map(DeltaApplied::receipt);
    }

    @Override
    public Optional<Receipt> find(ApplyDelta command, long lastSequence) {
        Optional<Receipt> receipt = receipt(command);
        long stored = events(command.aggregateIdentifier()).size();
        if (receipt.isEmpty() && stored > lastSequence) {
            throw new StaleBalanceException(command.aggregateIdentifier(), lastSequence, stored);
        }
        return receipt;
    }

    @Override
    public void appendEvents(List<? extends EventMessage<?>> events) {
        for (EventMessage<?> event : events) {
            append((DomainEventMessage<?>) event);
        }
        super.appendEvents(events);
    }

    private void append(DomainEventMessage<?> event) {
        List<DomainEventMessage<?>> stream =
                byAggregate.computeIfAbsent(event.getAggregateIdentifier(), account -> new ArrayList<>());
        if (byIdentity.containsKey(event.getIdentifier()) || event.getSequenceNumber() != stream.size()) {
            throw new ConcurrencyException("a unique constraint of the store", null);
        }
        byIdentity.put(event.getIdentifier(), (DeltaApplied) event.getPayload());
        stream.add(event);
    }

    @Override
    public DomainEventStream readEvents(String aggregateIdentifier, long firstSequenceNumber) {
        List<DomainEventMessage<?>> stored = events(aggregateIdentifier);
        long last = stored.size() - 1L;
        return DomainEventStream.of(
                stored.stream()
                        .skip(Math.max(firstSequenceNumber, stored.size() - BalanceAggregate.RETAINED_RECEIPTS))
                        .filter(event -> !unread.contains(event.getIdentifier())),
                () -> last < 0 ? null : last);
    }

    @Override
    public Optional<Long> lastSequenceNumberFor(String aggregateIdentifier) {
        List<DomainEventMessage<?>> stored = events(aggregateIdentifier);
        return stored.isEmpty() ? Optional.empty() : Optional.of(stored.size() - 1L);
    }
}
