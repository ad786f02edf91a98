package dev.ledger.app.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The SHA-256 of a key. A key is long and random, so that nothing slower is needed against guessing.
 *
 * <p>Equality takes the same time wherever two hashes differ.
 */
final class KeyHash {

    private final byte[] bytes;

    KeyHash(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    static KeyHash of(String key) {
        try {
            return new KeyHash(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    byte[] bytes() {
        return bytes.clone();
    }

    boolean matches(KeyHash other) {
        return MessageDigest.isEqual(bytes, other.bytes);
    }

    @Override
    public String toString() {
        return "KeyHash";
    }
}
