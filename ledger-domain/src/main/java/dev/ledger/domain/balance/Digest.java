package dev.ledger.domain.balance;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The digest of a canonical content. It carries its algorithm, so that another one can be told apart later (A6).
 *
 * @param text {@code sha-256:} and 64 lower-case hexadecimal digits
 */
public record Digest(String text) {

    private static final String PREFIX = "sha-256:";
    private static final int LENGTH = PREFIX.length() + 64;

    public Digest {
        if (text.length() != LENGTH || !text.startsWith(PREFIX) || !isLowerCaseHex(text)) {
            throw new IllegalArgumentException("not a digest of a known algorithm");
        }
    }

    private static boolean isLowerCaseHex(String text) {
        for (int i = PREFIX.length(); i < LENGTH; i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    /** The digest of an operation's canonical content. */
    public static Digest of(Operation operation) {
        return ofCanonical(CanonicalContent.of(operation));
    }

    /** The digest of bytes that already are canonical. */
    public static Digest ofCanonical(byte[] canonical) {
        return new Digest(PREFIX + HexFormat.of().formatHex(sha256(canonical)));
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
