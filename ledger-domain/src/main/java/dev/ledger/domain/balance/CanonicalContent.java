package dev.ledger.domain.balance;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;

/**
 * The canonical form of an operation's content, after RFC 8785: members in the order of their UTF-16 code units, no
 * white space, the shortest escapes, UTF-8. Absent members are left out.
 *
 * <p>The delta is written as a string: RFC 8785 numbers are doubles, which would fold 2^53 and 2^53 + 1 into one (A6,
 * K22). An instant is written in UTC, so that {@code +02:00} and {@code Z} are no difference. Text is taken as it was
 * sent, without Unicode normalisation.
 */
public final class CanonicalContent {

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private CanonicalContent() {}

    static byte[] of(Operation operation) {
        StringBuilder json = new StringBuilder(160);
        json.append('{');
        member(json, "account", operation.key().account());
        if (!operation.attributes().isEmpty()) {
            json.append(",\"attributes\":");
            object(json, operation.attributes());
        }
        if (operation.causedBy() != null) {
            member(json, "causedBy", operation.causedBy());
        }
        member(json, "delta", Long.toString(operation.delta()));
        if (operation.memo() != null) {
            member(json, "memo", operation.memo());
        }
        if (operation.occurredAt() != null) {
            member(json, "occurredAt", operation.occurredAt().toString());
        }
        return json.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The canonical form of attributes alone. */
    public static String of(SortedMap<String, String> attributes) {
        StringBuilder json = new StringBuilder(64);
        object(json, attributes);
        return json.toString();
    }

    private static void object(StringBuilder json, SortedMap<String, String> members) {
        json.append('{');
        for (Map.Entry<String, String> entry : members.entrySet()) {
            member(json, entry.getKey(), entry.getValue());
        }
        json.append('}');
    }

    private static void member(StringBuilder json, String name, String value) {
        if (json.charAt(json.length() - 1) != '{') {
            json.append(',');
        }
        string(json, name);
        json.append(':');
        string(json, value);
    }

    /** RFC 8785, section 3.2.2.2. */
    private static void string(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> json.append("\\\"");
                case '\\' -> json.append("\\\\");
                case '\b' -> json.append("\\b");
                case '\t' -> json.append("\\t");
                case '\n' -> json.append("\\n");
                case '\f' -> json.append("\\f");
                case '\r' -> json.append("\\r");
                default -> {
                    if (c < 0x20) {
                        json.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 0xf]);
                    } else {
                        json.append(c);
                    }
                }
            }
        }
        json.append('"');
    }
}
