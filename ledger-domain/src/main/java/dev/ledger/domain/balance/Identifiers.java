package dev.ledger.domain.balance;

/**
 * What a tenant, an account, an operation id or a handler may be called: 1 to {@value #MAX_LENGTH} characters out of
 * letters, digits and {@code . _ : -}, compared byte by byte, never trimmed or folded (contract, Identifiers).
 *
 * <p>Only ASCII is left, so no database can fold, pad or collate two of them into one (K23).
 */
public final class Identifiers {

    public static final int MAX_LENGTH = 128;

    private Identifiers() {}

    /**
     * @param field the member to name in the error
     * @return {@code value}, unchanged
     * @throws InvalidOperationException if {@code value} is not an identifier
     */
    public static String require(String field, String value) {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            throw new InvalidOperationException(field, "must have 1 to " + MAX_LENGTH + " characters");
        }
        for (int i = 0; i < value.length(); i++) {
            if (!allowed(value.charAt(i))) {
                throw new InvalidOperationException(field, "may hold only letters, digits and . _ : -");
            }
        }
        return value;
    }

    private static boolean allowed(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == ':'
                || c == '-';
    }
}
