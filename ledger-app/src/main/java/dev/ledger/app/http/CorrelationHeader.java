package dev.ledger.app.http;

import dev.ledger.domain.balance.Identifiers;
import dev.ledger.domain.balance.InvalidOperationException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The header by which a caller says which story his request belongs to (A8). An identifier like any other. */
final class CorrelationHeader {

    private static final String NAME = "X-Correlation-Id";

    private CorrelationHeader() {}

    /**
     * @return null if there is none
     * @throws InvalidOperationException if it is given twice, or is no identifier
     */
    static @Nullable String of(HttpServletRequest request) {
        List<String> values = Collections.list(request.getHeaders(NAME));
        if (values.size() > 1) {
            throw new InvalidOperationException(NAME, "must be given once");
        }
        return values.isEmpty() ? null : Identifiers.require(NAME, values.get(0));
    }
}
