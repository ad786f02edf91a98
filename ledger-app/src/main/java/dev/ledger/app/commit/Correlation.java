package dev.ledger.app.commit;

import dev.ledger.domain.balance.ApplyDelta;
import java.util.Map;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.correlation.CorrelationDataProvider;
import org.jspecify.annotations.Nullable;

/**
 * Which story an event belongs to, and which message it followed from directly (A8). The first message of a story may
 * bring a correlation id; otherwise its own identifier is one.
 */
public final class Correlation implements CorrelationDataProvider {

    public static final String CORRELATION_ID = "correlationId";
    public static final String CAUSATION_ID = "causationId";

    /**
     * The message of an operation. It has the operation's own id, so that each retry of it is the same message.
     *
     * @param correlationId of the story that it belongs to, null if it begins one
     */
    public static CommandMessage<ApplyDelta> message(ApplyDelta command, @Nullable String correlationId) {
        Map<String, String> metaData = correlationId == null ? Map.of() : Map.of(CORRELATION_ID, correlationId);
        return new GenericCommandMessage<>(
                new GenericMessage<>(command.operation().operationId(), command, metaData), ApplyDelta.class.getName());
    }

    @Override
    public Map<String, ?> correlationDataFor(Message<?> message) {
        Object correlationId = message.getMetaData().getOrDefault(CORRELATION_ID, message.getIdentifier());
        return Map.of(CORRELATION_ID, correlationId, CAUSATION_ID, message.getIdentifier());
    }
}
