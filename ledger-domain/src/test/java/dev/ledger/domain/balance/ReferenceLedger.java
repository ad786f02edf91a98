package dev.ledger.domain.balance;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;

/**
 * The rules of the balance once more, in the plainest form that can be thought of: two maps, unbounded integers, no event,
 * no window, no concurrency (B8). The oracle of the tests; shares no code with what it judges.
 */
public final class ReferenceLedger {

    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private record Done(String account, long delta, String content, Answer answer) {}

    /**
     * @param what applied, replayed, conflict, insufficient or overflow
     * @param balance after the operation, or as it stands; 0 for a conflict
     * @param sequence of the operation; 0 if it had no effect
     */
    public record Answer(String what, long balance, long sequence) {}

    private final Map<String, BigInteger> balances = new HashMap<>();
    private final Map<String, Long> sequences = new HashMap<>();
    private final Map<String, Done> done = new HashMap<>();

    /**
     * @param content whatever else belongs to the operation, in any form in which equal content is equal text
     */
    public Answer apply(String tenant, String account, String operationId, long delta, String content) {
        Done before = done.get(tenant + " " + operationId);
        if (before != null) {
            boolean same = before.account.equals(account) && before.delta == delta && before.content.equals(content);
            return same
                    ? new Answer("replayed", before.answer.balance, before.answer.sequence)
                    : new Answer("conflict", 0, 0);
        }
        String key = tenant + " " + account;
        BigInteger balance = balances.getOrDefault(key, BigInteger.ZERO);
        BigInteger next = balance.add(BigInteger.valueOf(delta));
        if (next.compareTo(LARGEST) > 0) {
            return new Answer("overflow", balance.longValueExact(), 0);
        }
        if (next.signum() < 0) {
            return new Answer("insufficient", balance.longValueExact(), 0);
        }
        Answer answer = new Answer("applied", next.longValueExact(), sequences.merge(key, 1L, Long::sum));
        balances.put(key, next);
        done.put(tenant + " " + operationId, new Done(account, delta, content, answer));
        return answer;
    }

    /** 0 for an account that never had an operation. */
    public long balance(String tenant, String account) {
        return balances.getOrDefault(tenant + " " + account, BigInteger.ZERO).longValueExact();
    }

    /** How many operations took effect on the account. */
    public long operations(String tenant, String account) {
        return sequences.getOrDefault(tenant + " " + account, 0L);
    }
}
