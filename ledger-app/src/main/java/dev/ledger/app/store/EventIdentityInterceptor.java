package dev.ledger.app.store;

import dev.ledger.domain.balance.DeltaApplied;
import java.util.List;
import java.util.function.BiFunction;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.messaging.MessageDispatchInterceptor;

/**
 * Gives each event the identifier that follows from (tenant, handler, operation id), and the time that its receipt states.
 *
 * <p>From here on the store's unique constraint on the identifier decides which of two attempts took effect.
 */
public final class EventIdentityInterceptor implements MessageDispatchInterceptor<EventMessage<?>> {

    @Override
    public BiFunction<Integer, EventMessage<?>, EventMessage<?>> handle(List<? extends EventMessage<?>> events) {
        return (index, event) ->
                event instanceof DomainEventMessage<?> domainEvent && event.getPayload() instanceof DeltaApplied applied
                        ? identified(domainEvent, applied)
                        : event;
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
}
