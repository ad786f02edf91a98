package dev.ledger.domain.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.domain.balance.ReferenceLedger.Answer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.common.caching.WeakReferenceCache;
import org.axonframework.config.AggregateConfigurer;
import org.axonframework.config.Configuration;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of duplicates, conflicts, overdrafts and extremes over several accounts and tenants, on the aggregate
 * as Axon runs it and on the {@link ReferenceLedger}: every answer and every balance must agree (B8).
 *
 * <p>{@code -Dledger.histories=500} tries more seeds, {@code -Dledger.history.seed=…} one of them. A failure names its
 * seed and the shortest prefix of the history that fails.
 */
class RandomHistoriesTest {

    private static final int OPERATIONS = 1500;
    private static final String[] TENANTS = {"shop", "bank"};
    private static final long[] EXTREMES = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    private record Step(String tenant, String account, String operationId, long delta, String memo) {}

    static LongStream seeds() {
        Long one = Long.getLong("ledger.history.seed");
        return one != null ? LongStream.of(one) : LongStream.rangeClosed(1, Long.getLong("ledger.histories", 20));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theAggregateAgreesWithTheReference(long seed) {
        List<Step> history = history(new Random(seed));
        int failing = firstDifference(history);
        if (failing >= 0) {
            // The prefix that fails, without the steps that it fails without.
            List<Step> shortest = shrink(new ArrayList<>(history.subList(0, failing + 1)));
            assertThat(shortest).as("seed %d fails on", seed).isEmpty();
        }
    }

    private static List<Step> shrink(List<Step> failing) {
        for (int i = failing.size() - 2; i >= 0; i--) {
            Step step = failing.remove(i);
            if (firstDifference(failing) < 0) {
                failing.add(i, step);
            }
        }
        return failing;
    }

    /** Few ids and few accounts, so that everything meets everything; one account outgrows its window of receipts. */
    private static List<Step> history(Random random) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < OPERATIONS; i++) {
            if (!steps.isEmpty() && random.nextInt(4) == 0) {
                steps.add(again(steps.get(random.nextInt(steps.size())), random));
                continue;
            }
            String account = random.nextInt(3) > 0 ? "busy" : "account-" + random.nextInt(3);
            long delta = random.nextInt(20) == 0 ? EXTREMES[random.nextInt(EXTREMES.length)] : random.nextInt(201) - 90;
            steps.add(new Step(TENANTS[random.nextInt(10) / 9], account, "op-" + i, delta, ""));
        }
        return steps;
    }

    private static Step again(Step step, Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> new Step(step.tenant, step.account, step.operationId, step.delta + 1, step.memo);
            case 1 -> new Step(step.tenant, "account-0", step.operationId, step.delta, step.memo);
            case 2 -> new Step(step.tenant, step.account, step.operationId, step.delta, "memo");
            case 3 -> new Step(TENANTS[random.nextInt(2)], step.account, step.operationId, step.delta, step.memo);
            default -> step;
        };
    }

    /** @return the first step on which one of the set-ups and the reference disagree, or -1 */
    private static int firstDifference(List<Step> history) {
        return Stream.of(false, true)
                .mapToInt(cached -> firstDifference(history, cached))
                .filter(difference -> difference >= 0)
                .findFirst()
                .orElse(-1);
    }

    private static int firstDifference(List<Step> history, boolean cached) {
        ReferenceLedger reference = new ReferenceLedger();
        Map<String, Receipt> stored = new HashMap<>();
        Configuration axon = axon(stored, cached);
        axon.start();
        try {
            CommandGateway commands = axon.commandGateway();
            for (int i = 0; i < history.size(); i++) {
                Step step = history.get(i);
                Answer expected = reference.apply(step.tenant, step.account, step.operationId, step.delta, step.memo);
                if (!expected.equals(apply(step, commands, stored))) {
                    return i;
                }
            }
            return -1;
        } finally {
            axon.shutdown();
        }
    }

    private static Answer apply(Step step, CommandGateway commands, Map<String, Receipt> stored) {
        ApplyDelta command = new ApplyDelta(new Operation(
                new AccountKey(step.tenant, step.account),
                step.operationId,
                step.delta,
                step.memo.isEmpty() ? null : step.memo,
                null,
                null,
                Collections.emptySortedMap()));
        Outcome outcome;
        try {
            outcome = commands.sendAndWait(command);
        } catch (IdentityTakenException e) {
            outcome = stored.get(command.eventId()).answer(command);
        }
        if (outcome instanceof Outcome.Applied applied) {
            stored.put(command.eventId(), applied.receipt());
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

    private static Configuration axon(Map<String, Receipt> stored, boolean cached) {
        RecordedOperations recorded = (command, lastSequence) -> Optional.ofNullable(stored.get(command.eventId()));
        AggregateConfigurer<BalanceAggregate> aggregate = AggregateConfigurer.defaultConfiguration(
                        BalanceAggregate.class)
                .configureCreationPolicyAggregateFactory(axon -> id -> new BalanceAggregate(String.valueOf(id)));
        if (cached) {
            aggregate.configureCache(axon -> new WeakReferenceCache());
        }
        return DefaultConfigurer.defaultConfiguration(false)
                .configureCommandBus(axon -> SimpleCommandBus.builder().build())
                .configureEventStore(axon -> eventStore(stored))
                .registerComponent(RecordedOperations.class, axon -> recorded)
                .registerComponent(Clock.class, axon -> Clock.systemUTC())
                .configureAggregate(aggregate)
                .buildConfiguration();
    }

    /** Refuses a second event under one identity, as the unique constraint of the real one does. */
    private static EventStore eventStore(Map<String, Receipt> stored) {
        EventStore eventStore = EmbeddedEventStore.builder()
                .storageEngine(new InMemoryEventStorageEngine())
                .build();
        eventStore.registerDispatchInterceptor(events -> (index, event) -> {
            if (stored.containsKey(((DeltaApplied) event.getPayload()).eventId())) {
                throw new IdentityTakenException();
            }
            return event;
        });
        return eventStore;
    }

    private static final class IdentityTakenException extends RuntimeException {}
}
