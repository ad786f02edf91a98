package dev.ledger.app.trace;

import dev.ledger.app.commit.Correlation;
import dev.ledger.app.inbox.Deliveries;
import dev.ledger.app.inbox.Delivery;
import dev.ledger.app.inbox.Inbox;
import dev.ledger.app.inbox.InboxHandler;
import dev.ledger.app.inbox.InboxMessage;
import dev.ledger.app.store.LedgerEventStorageEngine;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.DeltaApplied;
import dev.ledger.domain.balance.EventIdentity;
import dev.ledger.projections.dedup.EventKey;
import dev.ledger.projections.dedup.HandledDelivery;
import dev.ledger.projections.dedup.HandledEvents;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Puts a trace together from the records, wherever they are. */
@Component
public final class OperationTraces {

    private final LedgerEventStorageEngine store;
    private final Inbox inbox;
    private final Deliveries deliveries;
    private final HandledEvents handledEvents;
    private final EventProcessingConfiguration processing;
    private final List<SendAttempts> relays;

    OperationTraces(
            LedgerEventStorageEngine store,
            Inbox inbox,
            Deliveries deliveries,
            HandledEvents handledEvents,
            EventProcessingConfiguration processing,
            ObjectProvider<SendAttempts> relays) {
        this.store = store;
        this.inbox = inbox;
        this.deliveries = deliveries;
        this.handledEvents = handledEvents;
        this.processing = processing;
        this.relays = relays.orderedStream().toList();
    }

    /**
     * @param id of an operation, or of a message that was delivered to the inbox
     * @return empty if the tenant has neither
     */
    public Optional<OperationTrace> find(String tenant, String id) {
        OperationTrace.Fact fact = fact(tenant, id);
        if (fact != null) {
            return Optional.of(trace(tenant, fact, messageBehind(tenant, fact.event())));
        }
        OperationTrace ofMessage = trace(tenant, factBehind(tenant, id), id);
        return ofMessage.deliveries().isEmpty() ? Optional.empty() : Optional.of(ofMessage);
    }

    private OperationTrace trace(String tenant, OperationTrace.@Nullable Fact fact, @Nullable String messageId) {
        List<SendAttempt> attempts = new ArrayList<>();
        List<TracedDelivery> all = new ArrayList<>();
        if (messageId != null) {
            deliveries.find(tenant, messageId).forEach(delivery -> all.add(traced(delivery)));
        }
        if (fact != null) {
            String eventId = fact.event().eventId();
            relays.forEach(relay -> attempts.addAll(relay.find(tenant, eventId)));
            handledEvents
                    .deliveries(processing.eventProcessors().keySet(), new EventKey(tenant, UUID.fromString(eventId)))
                    .forEach(delivery -> all.add(traced(delivery)));
        }
        all.sort(Comparator.comparing(TracedDelivery::at));
        return new OperationTrace(fact, attempts, all);
    }

    private OperationTrace.@Nullable Fact fact(String tenant, String operationId) {
        return store.findEvent(EventIdentity.of(tenant, ApplyDelta.HANDLER, operationId))
                .map(OperationTraces::fact)
                .orElse(null);
    }

    private static OperationTrace.@Nullable Fact fact(DomainEventMessage<?> message) {
        return message.getPayload() instanceof DeltaApplied event
                ? new OperationTrace.Fact(
                        event, (String) message.getMetaData().get(Correlation.CORRELATION_ID), (String)
                                message.getMetaData().get(Correlation.CAUSATION_ID))
                : null;
    }

    /** A handler's operation states the message as its cause, and has the id that the two lead to. */
    private @Nullable String messageBehind(String tenant, DeltaApplied event) {
        String cause = event.causedBy();
        return cause != null
                        && inbox.handlers().stream()
                                .map(handler -> InboxMessage.operationId(tenant, handler.name(), cause))
                                .anyMatch(event.operationId()::equals)
                ? cause
                : null;
    }

    private OperationTrace.@Nullable Fact factBehind(String tenant, String messageId) {
        for (InboxHandler handler : inbox.handlers()) {
            OperationTrace.Fact fact = fact(tenant, InboxMessage.operationId(tenant, handler.name(), messageId));
            if (fact != null) {
                return fact;
            }
        }
        return null;
    }

    private static TracedDelivery traced(Delivery delivery) {
        return new TracedDelivery(
                delivery.handler(),
                delivery.handlerVersion(),
                delivery.at(),
                delivery.outcome(),
                1,
                delivery.detail(),
                delivery.replay());
    }

    private static TracedDelivery traced(HandledDelivery delivery) {
        return new TracedDelivery(
                delivery.handler(),
                delivery.handlerVersion(),
                delivery.at(),
                delivery.outcome(),
                delivery.times(),
                null,
                null);
    }
}
