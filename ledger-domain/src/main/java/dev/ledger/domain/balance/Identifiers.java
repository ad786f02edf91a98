package dev.ledger.domain.balance;

/**
 * What a tenant, an account, an operation id, a message or a handler may be called: 1 to {@value #MAX_LENGTH} characters
 * out of letters, digits and {@code . _ : - @ + = ~}, compared byte by byte, never trimmed or folded (contract,
 * Identifiers). One rule for all of them: each may end up as another's part, as a message's id does as {@code causedBy}.
 *
 * <p>Only ASCII is left, so no database can fold, pad or collate two of them into one (K23). Each stands for itself in a
 * segment of a path (RFC 3986, section 3.3). A slash is none of them: it separates the parts of what is derived.
 */
public final class Identifiers {

    public static final int MAX_LENGTH = 128;

    /** The same rule, for where a regular expression is asked for. */
    public static final String PATTERN = "[A-Za-z0-9._:@+=~-]{1," + MAX_LENGTH + "}";

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
                throw new InvalidOperationException(field, "may hold only letters, digits and . _ : - @ + = ~");
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
                || c == '-'
                || c == '@'
                || c == '+'
                || c == '='
                || c == '~';
    }
}
