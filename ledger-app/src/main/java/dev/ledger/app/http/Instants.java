package dev.ledger.app.http;

import dev.ledger.domain.balance.InvalidOperationException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.regex.Pattern;

/** Date and time as RFC 3339 has it, which is narrower than what Java's parsers take. */
final class Instants {

    private static final Pattern RFC_3339 =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:[Zz]|[+-]\\d{2}:\\d{2})");

    private Instants() {}

    /** @throws InvalidOperationException if it is no instant of RFC 3339, with at most nine digits of a second */
    static Instant parse(String field, String text) {
        try {
            if (RFC_3339.matcher(text).matches()) {
                return OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant();
            }
        } catch (DateTimeException e) {
            // A day or an hour that does not exist, told below.
        }
        throw new InvalidOperationException(field, "must be an instant of RFC 3339, such as 2026-01-31T09:30:00Z");
    }
}
