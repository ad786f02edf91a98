package dev.ledger.app.inbox;

import dev.ledger.domain.balance.InvalidOperationException;
import io.cloudevents.http.HttpMessageFactory;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a CloudEvent as its HTTP binding sends it, in structured or binary mode. */
public final class HttpMessageReader {

    private static final String STRUCTURED = "application/cloudevents+json";
    private static final String PREFIX = "ce-";

    private HttpMessageReader() {}

    /**
     * @param headers with names in any case
     * @param correlationId what the request says, for an event that has no {@code correlationid} of its own
     * @throws InvalidOperationException naming the attribute or header at fault
     * @throws UnsupportedDataException if this is no form that the inbox takes
     */
    public static InboxMessage read(
            String tenant, Map<String, List<String>> headers, byte[] body, @Nullable String correlationId) {
        Map<String, String> single = new LinkedHashMap<>();
        headers.forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.equals("content-type")) {
                single.put(lower, once(lower, values));
            } else if (lower.startsWith(PREFIX)) {
                single.put(lower, decoded(lower, once(lower, values)));
            }
        });
        String mediaType =
                single.getOrDefault("content-type", "").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (mediaType.startsWith("application/cloudevents")) {
            if (!mediaType.equals(STRUCTURED)) {
                throw new UnsupportedDataException();
            }
            MessageReader.structured(body);
        } else {
            for (String required : new String[] {"ce-specversion", "ce-id", "ce-source", "ce-type"}) {
                if (!single.containsKey(required)) {
                    throw new InvalidOperationException(required, "is missing, and the body is no structured event");
                }
            }
        }
        return MessageReader.read(
                tenant,
                MessageReader.parsed(
                        () -> HttpMessageFactory.createReader(single, body).toEvent()),
                correlationId);
    }

    private static String once(String name, List<String> values) {
        if (values.size() != 1) {
            throw new InvalidOperationException(name, "must be given once");
        }
        return values.get(0);
    }

    /** The HTTP binding's percent-encoding (section 3.1.3.2), which the SDK leaves to us. */
    private static String decoded(String name, String value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x20 || c > 0x7e) {
                throw new InvalidOperationException(name, "must be percent-encoded");
            }
            if (c == '%') {
                boolean complete = i + 2 < value.length();
                int high = complete ? Character.digit(value.charAt(i + 1), 16) : -1;
                int low = complete ? Character.digit(value.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw new InvalidOperationException(name, "is not percent-encoded as it should be");
                }
                bytes.write(high * 16 + low);
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        return StrictJson.text(name, bytes.toByteArray());
    }
}
