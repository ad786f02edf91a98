package dev.ledger.app.inbox;

import dev.ledger.domain.balance.AccountKey;
import dev.ledger.domain.balance.InvalidOperationException;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.Receipt;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Credits a customer's points when an order is paid. Data: {@code {"customer": "c-7", "points": 120}}; points as an
 * integer or, beyond 2^53, as a string of its digits. The account is {@code points:} and the customer.
 */
final class LoyaltyPoints implements InboxHandler {

    static final String NAME = "loyalty-points";

    private static final Pattern POINTS = Pattern.compile("0|[1-9][0-9]{0,18}");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String version() {
        return "1";
    }

    @Override
    public boolean accepts(String type) {
        return type.equals("order.paid");
    }

    @Override
    public Optional<String> account(InboxMessage message) {
        return Optional.of(accountOf(message));
    }

    @Override
    public Map<String, Object> handle(InboxMessage message, Ledger ledger) {
        Receipt receipt = ledger.apply(new Operation(
                new AccountKey(message.tenant(), accountOf(message)),
                message.operationId(NAME),
                points(message),
                null,
                message.time(),
                message.id(),
                new TreeMap<>(Map.of("eventType", message.type()))));
        Map<String, Object> result = new TreeMap<>();
        result.put("account", accountOf(message));
        result.put("operationId", receipt.operationId());
        result.put("points", receipt.delta());
        result.put("balance", receipt.balance());
        return result;
    }

    private static String accountOf(InboxMessage message) {
        JsonNode customer = member(message, "customer");
        if (!customer.isString()) {
            throw new InvalidOperationException("data.customer", "must be a string");
        }
        return "points:" + customer.stringValue();
    }

    private static long points(InboxMessage message) {
        JsonNode points = member(message, "points");
        String digits = points.isString() ? points.stringValue() : points.isIntegralNumber() ? points.asString() : "";
        try {
            if (POINTS.matcher(digits).matches()) {
                return Long.parseLong(digits);
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new InvalidOperationException("data.points", "must be an integer of 63 bits, not negative");
    }

    private static JsonNode member(InboxMessage message, String name) {
        JsonNode value = message.data() == null ? null : message.data().get(name);
        if (value == null) {
            throw new InvalidOperationException("data." + name, "is missing");
        }
        return value;
    }
}
