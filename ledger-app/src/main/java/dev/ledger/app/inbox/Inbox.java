package dev.ledger.app.inbox;

import dev.ledger.domain.balance.Identifiers;
import dev.ledger.domain.balance.InvalidOperationException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.MetaData;
import org.jspecify.annotations.Nullable;

/** Where messages are delivered, whatever brought them. */
public final class Inbox {

    private final Map<String, InboxHandler> handlers = new TreeMap<>();
    private final CommandGateway commands;
    private final DeliveryRecorder recorder;

    Inbox(List<InboxHandler> handlers, CommandGateway commands, DeliveryRecorder recorder) {
        for (InboxHandler handler : handlers) {
            Identifiers.require("handler", handler.name());
            if (this.handlers.putIfAbsent(handler.name(), handler) != null) {
                throw new IllegalStateException("two inbox handlers are called " + handler.name());
            }
        }
        this.commands = commands;
        this.recorder = recorder;
    }

    /** In order of their names. */
    public Collection<InboxHandler> handlers() {
        return List.copyOf(handlers.values());
    }

    public Optional<InboxHandler> find(String handler) {
        return Optional.ofNullable(handlers.get(handler));
    }

    /** Delivers a message that its sender brought. */
    public PendingDelivery deliver(InboxHandler handler, InboxMessage message) {
        return deliver(handler, message, null);
    }

    /**
     * Hands a message to the partition of its account and returns at once. Messages of one caller for one account are
     * handled in the order of these calls.
     *
     * @param replay the job that delivers it again, null for its sender
     */
    public PendingDelivery deliver(InboxHandler handler, InboxMessage message, @Nullable String replay) {
        return new PendingDelivery(handler, message, replay, send(handler, message, replay), recorder);
    }

    /** The command has the message's own identity, so that what follows from it names it as its cause (A8). */
    private CompletableFuture<InboxOutcome> send(InboxHandler handler, InboxMessage message, @Nullable String replay) {
        HandleMessage command;
        try {
            if (!handler.accepts(message.type())) {
                throw new InvalidOperationException("type", "is none that this handler takes");
            }
            command = new HandleMessage(handler, message, replay);
        } catch (InvalidOperationException e) {
            return CompletableFuture.failedFuture(e);
        }
        return commands.send(new GenericCommandMessage<>(
                new GenericMessage<>(message.id(), command, MetaData.from(message.causes())),
                HandleMessage.class.getName()));
    }
}
