package dev.ledger.app.inbox;

import java.io.StringWriter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What distinguishes one message from another under the same id: type, source, subject, time, the media type and the
 * schema of its data, and the data. Not the id, which is the key; not the mode, the order of members or the spelling of
 * an instant, which are transport; not the extensions, which anyone on the way may add or change (tracing, partition
 * keys, correlation). Absent and null are the same.
 */
final class MessageContent {

    private static final JsonFactory JSON = new JsonFactory();

    private MessageContent() {}

    /**
     * @param mediaType of the data, in lower case and without parameters
     * @param data JSON that has been checked
     * @return the canonical form, after RFC 8785
     */
    static String of(
            String type,
            String source,
            @Nullable String subject,
            @Nullable Instant time,
            String mediaType,
            @Nullable String schema,
            @Nullable String data) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeStringProperty("type", type);
            json.writeStringProperty("source", source);
            optional(json, "subject", subject);
            optional(json, "time", time);
            if (data != null) {
                json.writeStringProperty("datacontenttype", mediaType);
                optional(json, "dataschema", schema);
                json.writeName("data");
                json.writeRawValue(data);
            }
            json.writeEndObject();
        }
        return StrictJson.canonical(text.toString());
    }

    private static void optional(JsonGenerator json, String name, @Nullable Object value) {
        if (value != null) {
            json.writeStringProperty(name, value.toString());
        }
    }
}
