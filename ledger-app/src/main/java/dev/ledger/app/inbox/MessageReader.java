package dev.ledger.app.inbox;

import dev.ledger.domain.balance.Digest;
import dev.ledger.domain.balance.InvalidOperationException;
import io.cloudevents.CloudEvent;
import io.cloudevents.CloudEventData;
import io.cloudevents.SpecVersion;
import io.cloudevents.core.format.EventDeserializationException;
import io.cloudevents.jackson.JsonCloudEventData;
import io.cloudevents.rw.CloudEventRWException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Turns a CloudEvent 1.0 into a message, whatever brought it. Only JSON data is taken: of anything else there is no
 * canonical form.
 */
public final class MessageReader {

    private static final String JSON = "application/json";
    private static final String CORRELATION_ID = "correlationid";
    private static final String CAUSATION_ID = "causationid";
    /** As the SDK's messages name an attribute; nothing else of them is repeated, since they quote what was sent. */
    private static final Pattern NAMED_ATTRIBUTE = Pattern.compile("(?:for [\"']|attribute '?|mandatory |Invalid )"
            + "(specversion|id|source|type|subject|time|datacontenttype|dataschema|data)\\b");

    private static final JsonMapper MAPPER = new JsonMapper();

    private MessageReader() {}

    /**
     * @param tenant whom the sender speaks for
     * @param event parsed by the SDK from what {@link #structured} has checked, or from separate attributes and data
     * @param correlationId what the transport says, for an event that has no {@code correlationid} of its own
     * @throws InvalidOperationException naming the attribute at fault
     * @throws UnsupportedDataException if the data is not JSON
     */
    public static InboxMessage read(String tenant, CloudEvent event, @Nullable String correlationId) {
        if (event.getSpecVersion() != SpecVersion.V1) {
            throw new InvalidOperationException("specversion", "must be 1.0");
        }
        String type = text("type", event.getType(), InboxMessage.MAX_TYPE_LENGTH);
        String source = text("source", event.getSource().toString(), InboxMessage.MAX_TEXT_LENGTH);
        String subject =
                event.getSubject() == null ? null : text("subject", event.getSubject(), InboxMessage.MAX_TEXT_LENGTH);
        String schema = event.getDataSchema() == null
                ? null
                : text("dataschema", event.getDataSchema().toString(), InboxMessage.MAX_TEXT_LENGTH);
        Instant time = event.getTime() == null ? null : event.getTime().toInstant();
        String data = data(event);
        String content = MessageContent.of(type, source, subject, time, mediaType(event), schema, data);
        return new InboxMessage(
                tenant,
                event.getId(),
                type,
                source,
                subject,
                time,
                data == null ? null : MAPPER.readTree(data),
                content,
                Digest.ofCanonical(content.getBytes(StandardCharsets.UTF_8)),
                firstOf(extension(event, CORRELATION_ID), correlationId, event.getId()),
                extension(event, CAUSATION_ID));
    }

    /** Checks the JSON form of an event before the SDK reads it, which would overlook a member that comes twice. */
    public static void structured(byte[] body) {
        Set<String> members = StrictJson.members("body", StrictJson.text("body", body));
        for (String required : new String[] {"specversion", "id", "source", "type"}) {
            if (!members.contains(required)) {
                throw new InvalidOperationException(required, "is missing");
            }
        }
    }

    /** Calls the SDK, and names the attribute that it could not read. */
    public static CloudEvent parsed(Supplier<CloudEvent> reader) {
        try {
            return reader.get();
        } catch (CloudEventRWException | EventDeserializationException | IllegalStateException e) {
            Matcher attribute = NAMED_ATTRIBUTE.matcher(String.valueOf(e.getMessage()));
            throw new InvalidOperationException(
                    attribute.find() ? attribute.group(1) : "body", "is not as CloudEvents 1.0 has it");
        }
    }

    /** In lower case and without parameters: JSON is UTF-8, whatever they say. */
    private static String mediaType(CloudEvent event) {
        String type = event.getDataContentType();
        return type == null ? JSON : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static @Nullable String data(CloudEvent event) {
        CloudEventData data = event.getData();
        if (data == null) {
            return null;
        }
        String mediaType = mediaType(event);
        if (!mediaType.endsWith("/json") && !mediaType.endsWith("+json")) {
            throw new UnsupportedDataException();
        }
        byte[] bytes = data.toBytes();
        if (bytes.length == 0) {
            return null;
        }
        // What came as part of a structured event has been checked with it, as it was spelt.
        String json = data instanceof JsonCloudEventData
                ? new String(bytes, StandardCharsets.UTF_8)
                : StrictJson.check("data", bytes);
        return json.strip().equals("null") ? null : json;
    }

    private static String text(String attribute, String text, int maxLength) {
        if (text.isEmpty() || text.length() > maxLength) {
            throw new InvalidOperationException(attribute, "must have 1 to " + maxLength + " characters");
        }
        StrictJson.requireText(attribute, text);
        return text;
    }

    private static String firstOf(@Nullable String first, @Nullable String second, String last) {
        return first != null ? first : second != null ? second : last;
    }

    private static @Nullable String extension(CloudEvent event, String name) {
        Object value = event.getExtension(name);
        return value == null ? null : value.toString();
    }
}
