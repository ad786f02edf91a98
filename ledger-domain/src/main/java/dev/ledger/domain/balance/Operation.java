package dev.ledger.domain.balance;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks for: a signed change of one balance, under an id that was fixed when the fact arose (A3).
 *
 * @param key whose balance
 * @param operationId unique within tenant and handler, on whichever account
 * @param delta the change, in the account's smallest unit; any 64-bit value, zero included
 * @param memo at most {@value #MAX_MEMO_LENGTH} Unicode code points
 * @param occurredAt when it happened in the caller's world
 * @param causedBy the operation id that this one follows from (A8)
 * @param attributes the caller's own facts, together at most {@value #MAX_ATTRIBUTES_BYTES} bytes in UTF-8
 */
public record Operation(
        AccountKey key,
        String operationId,
        long delta,
        @Nullable String memo,
        @Nullable Instant occurredAt,
        @Nullable String causedBy,
        SortedMap<String, String> attributes) {

    public static final int MAX_MEMO_LENGTH = 512;
    public static final int MAX_ATTRIBUTES_BYTES = 4096;

    /** @throws InvalidOperationException if a member is out of its range */
    public Operation {
        Identifiers.require("operationId", operationId);
        if (memo != null) {
            requireText("memo", memo);
            if (memo.codePointCount(0, memo.length()) > MAX_MEMO_LENGTH) {
                throw new InvalidOperationException("memo", "may have at most " + MAX_MEMO_LENGTH + " characters");
            }
        }
        if (causedBy != null) {
            Identifiers.require("causedBy", causedBy);
        }
        attributes = attributes.isEmpty() ? Collections.emptySortedMap() : checked(attributes);
    }

    /** An operation with nothing but its change. */
    public static Operation of(AccountKey key, String operationId, long delta) {
        return new Operation(key, operationId, delta, null, null, null, Collections.emptySortedMap());
    }

    private static SortedMap<String, String> checked(Map<String, String> attributes) {
        long bytes = 0;
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            requireText("attributes", attribute.getKey());
            requireText("attributes", attribute.getValue());
            bytes += utf8Length(attribute.getKey()) + utf8Length(attribute.getValue());
        }
        if (bytes > MAX_ATTRIBUTES_BYTES) {
            throw new InvalidOperationException("attributes", "may have at most " + MAX_ATTRIBUTES_BYTES + " bytes");
        }
        return Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
    }

    private static long utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** NUL does not fit a PostgreSQL text (K24), and half a surrogate pair is no text that could be digested (K22). */
    private static void requireText(String field, String text) {
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
}
