package dev.ledger.app.http;

import dev.ledger.domain.balance.AccountKey;
import dev.ledger.domain.balance.InvalidOperationException;
import dev.ledger.domain.balance.Operation;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads an operation strictly: well-formed UTF-8, one JSON object, no member twice, no unknown member, integers as
 * integers. What two parsers could read differently is refused, since the digest is taken of what was read.
 */
final class OperationReader {

    /** The grammar of a JSON integer, in ASCII digits; {@link Long#parseLong} would take others too. */
    private static final Pattern INTEGER = Pattern.compile("-?(?:0|[1-9][0-9]{0,18})");

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(4)
                    .maxNumberLength(64)
                    .build())
            .build();

    private OperationReader() {}

    /**
     * Reads a body that has only content; the ids are in the path.
     *
     * @throws InvalidOperationException naming the member at fault, or {@code body}
     */
    static Operation readContent(byte[] body, AccountKey key, String operationId) {
        return read(body, key.tenant(), key.account(), operationId);
    }

    /**
     * Reads a line of a batch, which has the ids too.
     *
     * @throws InvalidOperationException naming the member at fault, or {@code body}
     */
    static Operation readLine(byte[] line, String tenant) {
        return read(line, tenant, null, null);
    }

    private static Operation read(byte[] bytes, String tenant, @Nullable String account, @Nullable String operationId) {
        boolean idsInBody = account == null;
        String lineAccount = account;
        String lineOperationId = operationId;
        Long delta = null;
        String memo = null;
        Instant occurredAt = null;
        String causedBy = null;
        SortedMap<String, String> attributes = Collections.emptySortedMap();
        try (JsonParser parser = JSON.createParser(tools.jackson.core.ObjectReadContext.empty(), text(bytes))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidOperationException("body", "must be a JSON object");
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String member = parser.currentName();
                JsonToken value = parser.nextToken();
                switch (member) {
                    case "delta" -> delta = delta(parser, value);
                    case "memo" -> memo = string(parser, value, member);
                    case "occurredAt" -> occurredAt = instant(string(parser, value, member), member);
                    case "causedBy" -> causedBy = string(parser, value, member);
                    case "attributes" -> attributes = attributes(parser, value);
                    case "account" -> lineAccount = id(parser, value, member, idsInBody);
                    case "operationId" -> lineOperationId = id(parser, value, member, idsInBody);
                    default -> throw unknown(member);
                }
            }
            if (parser.nextToken() != null) {
                throw new InvalidOperationException("body", "must be one JSON object and nothing behind it");
            }
        } catch (JacksonException e) {
            throw new InvalidOperationException("body", "is not well-formed JSON, or holds a member twice");
        }
        if (delta == null) {
            throw new InvalidOperationException("delta", "is missing");
        }
        return new Operation(
                new AccountKey(tenant, present(lineAccount, "account")),
                present(lineOperationId, "operationId"),
                delta,
                memo,
                occurredAt,
                causedBy,
                attributes);
    }

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidOperationException("body", "is not well-formed UTF-8");
        }
    }

    private static Long delta(JsonParser parser, JsonToken value) {
        if (value != JsonToken.VALUE_NUMBER_INT && value != JsonToken.VALUE_STRING) {
            throw new InvalidOperationException("delta", "must be an integer, or a string of its digits");
        }
        String digits = parser.getString();
        if (!INTEGER.matcher(digits).matches()) {
            throw new InvalidOperationException(
                    "delta", "must be an integer of 64 bits without sign +, blank or 0 ahead");
        }
        try {
            return Long.valueOf(digits);
        } catch (NumberFormatException e) {
            throw new InvalidOperationException("delta", "must be an integer of 64 bits");
        }
    }

    private static @Nullable String string(JsonParser parser, JsonToken value, String member) {
        if (value == JsonToken.VALUE_NULL) {
            return null;
        }
        if (value != JsonToken.VALUE_STRING) {
            throw new InvalidOperationException(member, "must be a string");
        }
        return parser.getString();
    }

    private static @Nullable Instant instant(@Nullable String text, String member) {
        return text == null ? null : Instants.parse(member, text);
    }

    private static SortedMap<String, String> attributes(JsonParser parser, JsonToken value) {
        if (value == JsonToken.VALUE_NULL) {
            return Collections.emptySortedMap();
        }
        if (value != JsonToken.START_OBJECT) {
            throw new InvalidOperationException("attributes", "must be an object of strings");
        }
        SortedMap<String, String> attributes = new TreeMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_STRING) {
                throw new InvalidOperationException("attributes", "must be an object of strings");
            }
            attributes.put(name, parser.getString());
        }
        return attributes;
    }

    private static @Nullable String id(JsonParser parser, JsonToken value, String member, boolean idsInBody) {
        if (!idsInBody) {
            throw unknown(member);
        }
        return string(parser, value, member);
    }

    private static String present(@Nullable String id, String member) {
        if (id == null) {
            throw new InvalidOperationException(member, "is missing");
        }
        return id;
    }

    /** Names the member only if it could be one: a body may hold anything, secrets included. */
    private static InvalidOperationException unknown(String member) {
        boolean harmless = member.length() <= 32 && member.chars().allMatch(c -> c < 128 && Character.isLetter(c));
        return new InvalidOperationException(harmless ? member : "body", "is not a member of an operation");
    }
}
