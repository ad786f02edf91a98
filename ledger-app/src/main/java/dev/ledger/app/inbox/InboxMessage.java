package dev.ledger.app.inbox;

import dev.ledger.app.commit.Correlation;
import dev.ledger.domain.balance.Digest;
import dev.ledger.domain.balance.EventIdentity;
import dev.ledger.domain.balance.Identifiers;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A CloudEvent for one tenant.
 *
 * @param tenant from the authenticated principal or the consumer's configuration, never from the event (A7)
 * @param id of the event; an identifier, which is narrower than what CloudEvents allows
 * @param type what kind of event it is, 1 to {@value #MAX_TYPE_LENGTH} characters
 * @param source where it happened, a URI reference of at most {@value #MAX_TEXT_LENGTH} characters
 * @param subject what it is about, at most {@value #MAX_TEXT_LENGTH} characters
 * @param time when it happened
 * @param data the JSON value, null if there is none
 * @param content the canonical form of what the digest covers, see {@link MessageContent}
 * @param digest of the content
 * @param correlationId of the story that the event belongs to, its own id if it names none
 * @param causationId of what the event followed from (A8)
 */
public record InboxMessage(
        String tenant,
        String id,
        String type,
        String source,
        @Nullable String subject,
        @Nullable Instant time,
        @Nullable JsonNode data,
        String content,
        Digest digest,
        String correlationId,
        @Nullable String causationId) {

    public static final int MAX_TYPE_LENGTH = 255;
    public static final int MAX_TEXT_LENGTH = 2048;

    public InboxMessage {
        Identifiers.require("tenant", tenant);
        Identifiers.require("id", id);
        Identifiers.require("correlationid", correlationId);
        if (causationId != null) {
            Identifiers.require("causationid", causationId);
        }
    }

    /**
     * The id of the operation that a handler applies for this message: derived from tenant, handler and event id and from
     * nothing else (A3), and never one that another handler derives.
     */
    public String operationId(String handler) {
        return operationId(tenant, handler, id);
    }

    /** The same, for whoever knows no more than the id of the event. */
    public static String operationId(String tenant, String handler, String eventId) {
        return EventIdentity.of(tenant, handler, eventId);
    }

    /** What follows from this message belongs to the same story. */
    Map<String, String> causes() {
        return causationId == null
                ? Map.of(Correlation.CORRELATION_ID, correlationId)
                : Map.of(Correlation.CORRELATION_ID, correlationId, Correlation.CAUSATION_ID, causationId);
    }

    /** Without what it says: that may be secret. */
    @Override
    public String toString() {
        return "InboxMessage[" + tenant + ", " + type + ", " + id + "]";
    }
}
