package dev.ledger.app.commit;

import java.util.Map;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.correlation.CorrelationDataProvider;

/**
 * Which story an event belongs to, and which message it followed from directly (A8). The first message of a story may
 * bring a correlation id; otherwise its own identifier is one.
 */
public final class Correlation implements CorrelationDataProvider {

    public static final String CORRELATION_ID = "correlationId";
    public static final String CAUSATION_ID = "causationId";

    @Override
    public Map<String, ?> correlationDataFor(Message<?> message) {
        Object correlationId = message.getMetaData().getOrDefault(CORRELATION_ID, message.getIdentifier());
        return Map.of(CORRELATION_ID, correlationId, CAUSATION_ID, message.getIdentifier());
    }
}
