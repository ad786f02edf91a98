package dev.ledger.domain.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.ledger.domain.balance.ReferenceLedger.Answer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.axonframework.eventhandling.DomainEventMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of duplicates, conflicts, overdrafts and extremes over several accounts and tenants, on the aggregate
 * as Axon runs it and on the {@link ReferenceLedger}: every answer and all that is stored in the end must agree (B8).
 *
 * <p>{@code -Dledger.histories=500} tries more seeds, {@code -Dledger.history.seed=…} one of them. A failure names its
 * seed and the steps that are needed to see it.
 */
class RandomHistoriesTest {

    private static final int STEPS = 1200;
    private static final String[] TENANTS = {"shop", "bank"};
    private static final String[] ACCOUNTS = {"busy", "account-0", "account-1", "account-2"};
    private static final String[] CONTENTS = {"memo", "occurredAt", "causedBy", "attributes"};
    private static final long[] EXTREMES = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    /** @param content the member that it has besides account and delta, or nothing */
    private record Step(int instance, String tenant, String account, String operationId, long delta, String content) {}

    private record Difference(int step, SetUp setUp, Object expected, Object actual) {}

    /** The ways in which the same rule is run. */
    private enum SetUp {
        WITHOUT_CACHE,
        WITH_CACHE,
        /** Each instance's cache falls behind whatever the other one does, and so does the second one's clock. */
        TWO_INSTANCES_WITH_CACHES;

        List<Instance> on(MemoryStore store) {
            Clock clock = Clock.systemUTC();
            return switch (this) {
                case WITHOUT_CACHE -> List.of(Instance.on(store, clock, null));
                case WITH_CACHE -> List.of(Instance.on(store, clock, new MemoryCache()));
                case TWO_INSTANCES_WITH_CACHES ->
                    List.of(
                            Instance.on(store, clock, new MemoryCache()),
                            Instance.on(store, Clock.offset(clock, Duration.ofMinutes(-1)), new MemoryCache()));
            };
        }
    }

    static LongStream seeds() {
        Long one = Long.getLong("ledger.history.seed");
        return one != null ? LongStream.of(one) : LongStream.rangeClosed(1, Long.getLong("ledger.histories", 6));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theAggregateAgreesWithTheReference(long seed) {
        List<Step> history = history(new Random(seed));
        firstDifference(history).ifPresent(found -> {
            List<Step> shortest = shrink(history.subList(0, found.step + 1), found.setUp);
            Difference shown = firstDifference(shortest, found.setUp).orElse(found);
            fail(
                    "seed %d, %s: expected %s but was %s at the last of %d steps:%n%s",
                    seed,
                    shown.setUp,
                    shown.expected,
                    shown.actual,
                    shortest.size(),
                    shortest.stream().map(Step::toString).collect(Collectors.joining("\n")));
        });
    }

    @Test
    void theHistoriesReachEveryAnswer() { // or the comparison above would prove little
        ReferenceLedger reference = new ReferenceLedger();
        Set<String> answers = new HashSet<>();
        boolean repliesOutsideTheWindow = false;
        for (Step step : history(new Random(1))) {
            Answer answer = reference.apply(step.tenant, step.account, step.operationId, step.delta, step.content);
            answers.add(answer.what());
            repliesOutsideTheWindow |= answer.what().equals("replayed")
                    && answer.sequence()
                            <= reference.operations(step.tenant, step.account) - BalanceAggregate.RETAINED_RECEIPTS;
        }

        assertThat(answers).containsExactlyInAnyOrder("applied", "replayed", "conflict", "insufficient", "overflow");
        assertThat(repliesOutsideTheWindow).isTrue();
    }

    /** Few accounts and many repetitions, so that everything meets everything; one account outgrows its receipts. */
    private static List<Step> history(Random random) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            steps.add(
                    i > 0 && random.nextInt(4) == 0
                            ? again(steps.get(random.nextInt(i)), random)
                            : anew("op-" + i, random));
        }
        return steps;
    }

    private static Step anew(String operationId, Random random) {
        return new Step(
                random.nextInt(2),
                TENANTS[random.nextInt(10) / 9],
                ACCOUNTS[random.nextInt(3) > 0 ? 0 : random.nextInt(4)],
                operationId,
                random.nextInt(20) == 0 ? EXTREMES[random.nextInt(EXTREMES.length)] : random.nextInt(201) - 90,
                random.nextBoolean() ? "" : CONTENTS[random.nextInt(4)]);
    }

    /** Half of them as they were, the others changed in one respect. */
    private static Step again(Step step, Random random) {
        int instance = random.nextInt(2);
        String id = step.operationId;
        return switch (random.nextInt(8)) {
            case 0 -> new Step(instance, step.tenant, step.account, id, step.delta + 1, step.content);
            case 1 -> new Step(instance, step.tenant, ACCOUNTS[random.nextInt(4)], id, step.delta, step.content);
            case 2 -> new Step(instance, step.tenant, step.account, id, step.delta, CONTENTS[random.nextInt(4)]);
            case 3 -> new Step(instance, TENANTS[random.nextInt(2)], step.account, id, step.delta, step.content);
            default -> new Step(instance, step.tenant, step.account, id, step.delta, step.content);
        };
    }

    /** Leaves out what the difference does not need: first large parts, then small ones. */
    private static List<Step> shrink(List<Step> failing, SetUp setUp) {
        List<Step> steps = failing;
        for (int part = steps.size() / 2; part > 0; part /= 2) {
            for (int from = steps.size() - part; from >= 0; from = Math.min(from, steps.size()) - part) {
                List<Step> fewer = new ArrayList<>(steps);
                fewer.subList(from, from + part).clear();
                Optional<Difference> difference = firstDifference(fewer, setUp);
                if (difference.isPresent()) {
                    steps = fewer.subList(0, difference.get().step + 1);
                }
            }
        }
        return steps;
    }

    private static Optional<Difference> firstDifference(List<Step> history) {
        return Stream.of(SetUp.values())
                .map(setUp -> firstDifference(history, setUp))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<Difference> firstDifference(List<Step> history, SetUp setUp) {
        ReferenceLedger reference = new ReferenceLedger();
        MemoryStore store = new MemoryStore();
        List<Instance> instances = setUp.on(store);
        try {
            for (int i = 0; i < history.size(); i++) {
                Step step = history.get(i);
                Answer expected =
                        reference.apply(step.tenant, step.account, step.operationId, step.delta, step.content);
                Object actual = answer(instances.get(step.instance % instances.size()), command(step));
                if (!expected.equals(actual)) {
                    return Optional.of(new Difference(i, setUp, expected, actual));
                }
            }
            return Stream.of(TENANTS)
                    .flatMap(tenant -> Stream.of(ACCOUNTS).map(account -> new AccountKey(tenant, account)))
                    .map(key -> storedDifference(key, reference, store.events(key.aggregateIdentifier())))
                    .flatMap(Optional::stream)
                    .map(found -> new Difference(history.size() - 1, setUp, found.expected, found.actual))
                    .findFirst();
        } finally {
            instances.forEach(Instance::close);
        }
    }

    private record Stored(long balance, long operations) {}

    private record StoredDifference(Object expected, Object actual) {}

    /** The events add up, without a hole, in order of time, each under its own identity. */
    private static Optional<StoredDifference> storedDifference(
            AccountKey key, ReferenceLedger reference, List<DomainEventMessage<?>> events) {
        long balance = 0;
        long sequence = 0;
        Instant last = Instant.EPOCH;
        for (DomainEventMessage<?> message : events) {
            DeltaApplied event = (DeltaApplied) message.getPayload();
            balance = Math.addExact(balance, event.delta());
            sequence++;
            if (event.balance() != balance
                    || event.sequence() != sequence
                    || event.recordedAt().isBefore(last)
                    || !message.getIdentifier()
                            .equals(EventIdentity.of(key.tenant(), "apply-delta", event.operationId()))) {
                return Optional.of(new StoredDifference("balance %d after %d".formatted(balance, sequence), event));
            }
            last = event.recordedAt();
        }
        Stored expected = new Stored(
                reference.balance(key.tenant(), key.account()), reference.operations(key.tenant(), key.account()));
        Stored actual = new Stored(balance, sequence);
        return expected.equals(actual) ? Optional.empty() : Optional.of(new StoredDifference(expected, actual));
    }

    private static ApplyDelta command(Step step) {
        String content = step.content;
        return new ApplyDelta(new Operation(
                new AccountKey(step.tenant, step.account),
                step.operationId,
                step.delta,
                content.equals("memo") ? "coffee" : null,
                content.equals("occurredAt") ? Instant.EPOCH : null,
                content.equals("causedBy") ? "op-0" : null,
                content.equals("attributes") ? new TreeMap<>(Map.of("till", "7")) : Collections.emptySortedMap()));
    }

    /** In the words of the reference; a fault is an answer too, and never the one that is expected. */
    private static Object answer(Instance instance, ApplyDelta command) {
        Outcome outcome;
        try {
            outcome = instance.send(command);
        } catch (RuntimeException fault) {
            return fault;
        }
        if (outcome instanceof Outcome.Applied applied) {
            return new Answer(
                    "applied", applied.receipt().balance(), applied.receipt().sequence());
        }
        if (outcome instanceof Outcome.Replayed replayed) {
            return new Answer(
                    "replayed", replayed.receipt().balance(), replayed.receipt().sequence());
        }
        Rejection rejection = ((Outcome.Rejected) outcome).rejection();
        if (rejection instanceof Rejection.InsufficientBalance insufficient) {
            return new Answer("insufficient", insufficient.balance(), 0);
        }
        if (rejection instanceof Rejection.BalanceOverflow overflow) {
            return new Answer("overflow", overflow.balance(), 0);
        }
        return new Answer("conflict", 0, 0);
    }
}
