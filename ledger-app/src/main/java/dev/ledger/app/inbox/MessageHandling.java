package dev.ledger.app.inbox;

import dev.ledger.app.commit.NestedOperations;
import dev.ledger.app.commit.OperationRejectedException;
import dev.ledger.domain.balance.AccountKey;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.Outcome;
import dev.ledger.domain.balance.Receipt;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import tools.jackson.databind.json.JsonMapper;

/** Handles a message in the unit of work of its group: looks up what is known of it, or lets its handler run. */
final class MessageHandling {

    private static final int MAX_RESULT_LENGTH = 64 * 1024;

    private final InboxTable inbox;
    private final DeliveryTable deliveries;
    private final InboxConflictTable conflicts;
    private final NestedOperations operations;
    private final JsonMapper json;
    private final Clock clock;

    MessageHandling(
            InboxTable inbox,
            DeliveryTable deliveries,
            InboxConflictTable conflicts,
            NestedOperations operations,
            JsonMapper json,
            Clock clock) {
        this.inbox = inbox;
        this.deliveries = deliveries;
        this.conflicts = conflicts;
        this.operations = operations;
        this.json = json;
        this.clock = clock;
    }

    /** @return what became of the message; it is true only once the surrounding unit of work has committed */
    @CommandHandler
    InboxOutcome handle(HandleMessage command, UnitOfWork<?> unitOfWork) {
        InboxGroup group = InboxGroup.of(unitOfWork, inbox, deliveries);
        InboxRecord known = group.find(command.key());
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        if (known == null) {
            String result = result(command);
            group.handled(new InboxRecord(
                    command.key(),
                    command.message().digest().text(),
                    command.handler().version(),
                    result,
                    now));
            return new InboxOutcome.Applied(result, command.handler().version());
        }
        if (known.digest().equals(command.message().digest().text())) {
            group.delivered(delivery(command, Delivery.DUPLICATE, now));
            return new InboxOutcome.Duplicate(known.result(), known.handlerVersion());
        }
        conflicts.keep(known, command.message(), command.handler().version(), now);
        group.delivered(delivery(command, Delivery.CONFLICT, now));
        return new InboxOutcome.Conflict(
                known.digest(), command.message().digest().text());
    }

    private String result(HandleMessage command) {
        Map<String, Object> result =
                command.handler().handle(command.message(), operation -> apply(command, operation));
        String text = json.writeValueAsString(result);
        if (text.length() > MAX_RESULT_LENGTH) {
            throw new IllegalStateException("the result of " + command.handler().name() + " is too long to be stored");
        }
        return text;
    }

    private Receipt apply(HandleMessage command, Operation operation) {
        AccountKey account = operation.key();
        if (!command.aggregateIdentifier().equals(Optional.of(account.aggregateIdentifier()))) {
            throw new IllegalStateException(
                    command.handler().name() + " did not announce that it changes the account " + account);
        }
        Outcome outcome = operations.apply(operation);
        if (outcome instanceof Outcome.Rejected rejected) {
            throw new OperationRejectedException(rejected.rejection());
        }
        return outcome instanceof Outcome.Applied applied ? applied.receipt() : ((Outcome.Replayed) outcome).receipt();
    }

    private static Delivery delivery(HandleMessage command, String outcome, Instant at) {
        InboxKey key = command.key();
        return new Delivery(
                key.tenant(),
                key.handler(),
                key.eventId(),
                command.handler().version(),
                outcome,
                at,
                null,
                command.replay());
    }
}
