package dev.ledger.projections.dedup;

import dev.ledger.domain.balance.LedgerEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.messaging.InterceptorChain;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.MessageHandlerInterceptor;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets each event through to one handler once. A second delivery is skipped and counted; the same id with another digest
 * is a conflict, skipped too and kept as evidence (A1, A4).
 *
 * <p>It asks nobody whether this is a replay: whatever a token says of an event (K11), the record decides. At the first
 * event of a batch the whole batch is claimed; the claims commit with the read model and the token.
 */
public final class DeduplicatingInterceptor implements MessageHandlerInterceptor<EventMessage<?>> {

    private static final Logger log = LoggerFactory.getLogger(DeduplicatingInterceptor.class);

    private final String handler;
    private final String handlerVersion;
    private final HandledEvents handledEvents;
    private final String resource;
    private final Counter applied;
    private final Counter duplicates;
    private final Counter conflicts;

    public DeduplicatingInterceptor(
            String handler, String handlerVersion, HandledEvents handledEvents, MeterRegistry meters) {
        this.handler = handler;
        this.handlerVersion = handlerVersion;
        this.handledEvents = handledEvents;
        this.resource = DeduplicatingInterceptor.class.getName() + '.' + handler;
        this.applied = counter("applied", meters);
        this.duplicates = counter("duplicate", meters);
        this.conflicts = counter("conflict", meters);
    }

    private Counter counter(String outcome, MeterRegistry meters) {
        return Counter.builder("ledger.handler.deliveries")
                .description("events that reached a handler, by what became of them")
                .tag("handler", handler)
                .tag("outcome", outcome)
                .register(meters);
    }

    @Override
    public @Nullable Object handle(UnitOfWork<? extends EventMessage<?>> unitOfWork, InterceptorChain chain)
            throws Exception {
        EventMessage<?> message = unitOfWork.getMessage();
        if (!(message.getPayload() instanceof LedgerEvent event)) {
            return chain.proceed();
        }
        Map<EventKey, Claim> claims = unitOfWork.getOrComputeResource(resource, key -> claim(unitOfWork));
        EventKey key = keyOf(message, event);
        Claim claim = claims.get(key);
        if (claim == null) {
            throw new IllegalStateException("event " + key + " is not part of its own batch");
        }
        if (!claim.digest.equals(event.digest())) {
            conflicts.increment();
            log.error("event {} came to {} with another digest than before", key, handler);
            handledEvents.keepConflict(
                    handler, handlerVersion, key, claim.digest, event.digest(), String.valueOf(event));
            return null;
        }
        if (claim.taken) {
            duplicates.increment();
            repeats(unitOfWork).merge(key, 1, Integer::sum);
            return null;
        }
        claim.taken = true;
        applied.increment();
        return chain.proceed();
    }

    /** Counted beside the record, in the same transaction. */
    private SortedMap<EventKey, Integer> repeats(UnitOfWork<?> unitOfWork) {
        return unitOfWork.getOrComputeResource(resource + ".repeats", key -> {
            SortedMap<EventKey, Integer> repeats = new TreeMap<>(EventKey.ORDER);
            unitOfWork.onPrepareCommit(prepared -> handledEvents.countRepeats(handler, repeats));
            return repeats;
        });
    }

    private Map<EventKey, Claim> claim(UnitOfWork<? extends EventMessage<?>> unitOfWork) {
        List<? extends Message<?>> messages = unitOfWork instanceof BatchingUnitOfWork<?> batch
                ? batch.getMessages()
                : List.of(unitOfWork.getMessage());
        Map<EventKey, String> offered = new LinkedHashMap<>();
        for (Message<?> message : messages) {
            if (message.getPayload() instanceof LedgerEvent event) {
                offered.putIfAbsent(keyOf(message, event), event.digest());
            }
        }
        Map<EventKey, String> before = handledEvents.claim(handler, handlerVersion, offered);
        Map<EventKey, Claim> claims = new HashMap<>();
        offered.forEach((key, digest) -> {
            String recorded = before.get(key);
            claims.put(key, recorded == null ? new Claim(digest, false) : new Claim(recorded, true));
        });
        return claims;
    }

    private static EventKey keyOf(Message<?> message, LedgerEvent event) {
        return new EventKey(event.tenant(), UUID.fromString(message.getIdentifier()));
    }

    /** The digest that counts for an event, and whether a delivery has already taken it. */
    private static final class Claim {

        private final String digest;
        private boolean taken;

        private Claim(String digest, boolean taken) {
            this.digest = digest;
            this.taken = taken;
        }
    }
}
