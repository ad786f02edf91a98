package dev.ledger.app.http;

import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.EventIdentity;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.Receipt;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A receipt as callers see it: always the same members in the same order, so that a retry gets the same bytes. */
final class ReceiptJson {

    private static final JsonFactory JSON = new JsonFactory();

    private ReceiptJson() {}

    static byte[] bytes(Operation operation, Receipt receipt) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            write(json, operation, receipt);
        }
        return bytes.toByteArray();
    }

    /**
     * @param operation whose digest is the receipt's; its content is the caller's own
     */
    static void write(JsonGenerator json, Operation operation, Receipt receipt) {
        json.writeStartObject();
        json.writeStringProperty("account", operation.key().account());
        json.writeStringProperty("operationId", receipt.operationId());
        json.writeNumberProperty("delta", receipt.delta());
        json.writeNumberProperty("balance", receipt.balance());
        json.writeNumberProperty("sequence", receipt.sequence());
        json.writeStringProperty("digest", receipt.digest().text());
        json.writeStringProperty("handlerVersion", receipt.handlerVersion());
        json.writeStringProperty("recordedAt", receipt.recordedAt().toString());
        optional(json, "occurredAt", operation.occurredAt());
        optional(json, "memo", operation.memo());
        optional(json, "causedBy", operation.causedBy());
        if (!operation.attributes().isEmpty()) {
            json.writeObjectPropertyStart("attributes");
            for (Map.Entry<String, String> attribute : operation.attributes().entrySet()) {
                json.writeStringProperty(attribute.getKey(), attribute.getValue());
            }
            json.writeEndObject();
        }
        json.writeStringProperty(
                "eventId", EventIdentity.of(operation.key().tenant(), ApplyDelta.HANDLER, receipt.operationId()));
        json.writeEndObject();
    }

    private static void optional(JsonGenerator json, String name, @Nullable Object value) {
        if (value != null) {
            json.writeStringProperty(name, value.toString());
        }
    }
}
