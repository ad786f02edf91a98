package dev.ledger.app.inbox;

import dev.ledger.app.commit.ChangesAccount;
import dev.ledger.domain.balance.AccountKey;
import java.util.Optional;
import org.axonframework.commandhandling.RoutingKey;
import org.jspecify.annotations.Nullable;

/**
 * The command: let this handler handle this message once. It goes through the partition of the account that the handler
 * is going to change, or of the message if it changes none.
 */
final class HandleMessage implements ChangesAccount {

    private final InboxHandler handler;
    private final InboxMessage message;
    private final InboxKey key;
    private final @Nullable String replay;
    private final @Nullable String account;

    /** @throws dev.ledger.domain.balance.InvalidOperationException if the message is none for this handler */
    HandleMessage(InboxHandler handler, InboxMessage message, @Nullable String replay) {
        this.handler = handler;
        this.message = message;
        this.replay = replay;
        this.key = new InboxKey(message.tenant(), handler.name(), message.id());
        this.account = handler.account(message)
                .map(account -> new AccountKey(message.tenant(), account).aggregateIdentifier())
                .orElse(null);
    }

    InboxHandler handler() {
        return handler;
    }

    InboxMessage message() {
        return message;
    }

    InboxKey key() {
        return key;
    }

    /** The job that delivers it again. */
    @Nullable
    String replay() {
        return replay;
    }

    @Override
    public Optional<String> aggregateIdentifier() {
        return Optional.ofNullable(account);
    }

    @RoutingKey
    String routingKey() {
        return account == null ? key.tenant() + '/' + key.handler() + '/' + key.eventId() : account;
    }

    @Override
    public String toString() {
        return "HandleMessage[" + key.tenant() + ", " + key.handler() + ", " + key.eventId() + "]";
    }
}
