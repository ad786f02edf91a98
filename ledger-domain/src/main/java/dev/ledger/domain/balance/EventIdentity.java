package dev.ledger.domain.balance;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The identity of an event, derived from (tenant, handler, id) and from nothing else (A5).
 *
 * <p>Two attempts at one operation thus reach the event store under one identifier, and the store's unique constraint
 * lets one of them in: across accounts, threads and instances. It is a UUID of version 8 (RFC 9562, section 5.8) over
 * SHA-256; a caller would have to find a second pre-image of 122 bits to block or to read another's operation (A7).
 */
public final class EventIdentity {

    private EventIdentity() {}

    /**
     * @return the 36 characters of the UUID
     * @throws InvalidOperationException if one of them is no identifier
     */
    public static String of(String tenant, String handler, String id) {
        Identifiers.require("tenant", tenant);
        Identifiers.require("handler", handler);
        Identifiers.require("id", id);
        // A slash is no part of an identifier: two triples never give the same text.
        byte[] hash = Digest.sha256((tenant + '/' + handler + '/' + id).getBytes(StandardCharsets.UTF_8));
        ByteBuffer bytes = ByteBuffer.wrap(hash);
        long high = (bytes.getLong() & 0xffffffffffff0fffL) | 0x8000L;
        long low = (bytes.getLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
        return new UUID(high, low).toString();
    }
}
