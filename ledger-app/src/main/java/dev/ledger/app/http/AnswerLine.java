package dev.ledger.app.http;

import dev.ledger.app.problem.Problem;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.Outcome;
import dev.ledger.domain.balance.Receipt;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** One line of a batch's answer, with its line feed. */
final class AnswerLine {

    private static final JsonFactory JSON = new JsonFactory();

    private AnswerLine() {}

    static byte[] of(long line, @Nullable Operation operation, Outcome outcome) {
        if (outcome instanceof Outcome.Rejected rejected) {
            return of(line, Problems.of(rejected.rejection()));
        }
        boolean applied = outcome instanceof Outcome.Applied;
        Receipt receipt = applied ? ((Outcome.Applied) outcome).receipt() : ((Outcome.Replayed) outcome).receipt();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = start(bytes, line, applied ? "applied" : "replayed")) {
            json.writeName("receipt");
            ReceiptJson.write(json, Objects.requireNonNull(operation, "what was applied was an operation"), receipt);
            json.writeEndObject();
        }
        bytes.write('\n');
        return bytes.toByteArray();
    }

    static byte[] of(long line, Problem problem) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = start(bytes, line, "rejected")) {
            json.writeObjectPropertyStart("problem");
            for (Map.Entry<String, Object> member : problem.document().entrySet()) {
                if (member.getValue() instanceof Number number) {
                    json.writeNumberProperty(member.getKey(), number.longValue());
                } else {
                    json.writeStringProperty(member.getKey(), member.getValue().toString());
                }
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        bytes.write('\n');
        return bytes.toByteArray();
    }

    private static JsonGenerator start(ByteArrayOutputStream bytes, long line, String status) {
        JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes);
        json.writeStartObject();
        json.writeNumberProperty("line", line);
        json.writeStringProperty("status", status);
        return json;
    }
}
