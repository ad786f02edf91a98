package dev.ledger.app.inbox;

import dev.ledger.domain.balance.InvalidOperationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.erdtman.jcs.JsonCanonicalizer;
import org.erdtman.jcs.NumberToJSON;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON of which a digest can be taken: what two parsers could read differently, or what RFC 8785 would fold into one, is
 * refused (A6, K22).
 *
 * <p>RFC 8785 numbers are doubles. Integers beyond 2^53 - 1 and decimals that are not the double which they name are
 * therefore refused; a sender who needs them sends a string, as RFC 7493 asks. Thus numbers of different value never have
 * one digest, and {@code 1e2} and {@code 100} do.
 */
final class StrictJson {

    private static final long LARGEST_INTEGER = (1L << 53) - 1;
    private static final int MAX_INTEGER_DIGITS = 16;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(64)
                    .maxNumberLength(64)
                    .build())
            .build();

    private StrictJson() {}

    /**
     * @param field what to call it in the error
     * @return the text, which holds one JSON value
     */
    static String check(String field, byte[] bytes) {
        String text = text(field, bytes);
        members(field, text);
        return text;
    }

    /** @return the names of the members of the object that it is; none if it is another value */
    static Set<String> members(String field, String text) {
        Set<String> members = new HashSet<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            int depth = 0;
            JsonToken token = parser.nextToken();
            if (token == null) {
                throw new InvalidOperationException(field, "is empty");
            }
            do {
                switch (token) {
                    case START_OBJECT, START_ARRAY -> depth++;
                    case END_OBJECT, END_ARRAY -> depth--;
                    case PROPERTY_NAME -> {
                        requireText(field, parser.currentName());
                        if (depth == 1) {
                            members.add(parser.currentName());
                        }
                    }
                    case VALUE_STRING -> requireText(field, parser.getString());
                    case VALUE_NUMBER_INT -> requireInteger(field, parser.getString());
                    case VALUE_NUMBER_FLOAT -> requireDouble(field, parser.getString());
                    default -> {}
                }
                token = parser.nextToken();
            } while (depth > 0);
            if (token != null) {
                throw new InvalidOperationException(field, "must be one JSON value and nothing behind it");
            }
        } catch (JacksonException e) {
            throw new InvalidOperationException(field, "is not well-formed JSON, or holds a member twice");
        }
        return members;
    }

    /** @param json that has been checked */
    static String canonical(String json) {
        try {
            return new JsonCanonicalizer(json).getEncodedString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(String field, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidOperationException(field, "is not well-formed UTF-8");
        }
    }

    /** NUL does not fit a PostgreSQL text (K24), and half a surrogate pair is no text (K22). */
    static void requireText(String field, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                throw new InvalidOperationException(field, "may not hold U+0000");
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw new InvalidOperationException(field, "may not hold an unpaired surrogate");
            }
        }
    }

    private static void requireInteger(String field, String digits) {
        int length = digits.startsWith("-") ? digits.length() - 1 : digits.length();
        if (length > MAX_INTEGER_DIGITS || Math.abs(Long.parseLong(digits)) > LARGEST_INTEGER) {
            throw new InvalidOperationException(field, "holds an integer beyond 2^53 - 1: send it as a string");
        }
    }

    private static void requireDouble(String field, String number) {
        double value = Double.parseDouble(number);
        if (Double.isInfinite(value) || new BigDecimal(number).compareTo(new BigDecimal(shortest(value))) != 0) {
            throw new InvalidOperationException(field, "holds a number that no double has: send it as a string");
        }
    }

    private static String shortest(double value) {
        try {
            return NumberToJSON.serializeNumber(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
