package dev.ledger.app.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ledger.app.commit.GroupCommitCommandBus;
import dev.ledger.app.commit.OutcomeUnknownException;
import dev.ledger.app.commit.TooBusyException;
import dev.ledger.app.fire.CommitFaults.Fault;
import dev.ledger.app.fire.Teller.Order;
import dev.ledger.app.store.Database;
import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.domain.balance.Outcome;
import dev.ledger.domain.balance.Rejection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.axonframework.common.Registration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each command of a group has its own outcome, whatever becomes of the commit. All with a pool of five connections. */
@OnBothDatabases(
        properties = {
            CommitFaults.PROPERTY,
            "ledger.commit.partitions=1",
            "ledger.commit.recovery-timeout=2s",
            "spring.datasource.hikari.maximum-pool-size=5"
        })
class GroupOutcomesIT {

    private final RunningLedger ledger;
    private final Teller teller;
    private final CommitFaults faults;

    GroupOutcomesIT(RunningLedger ledger) {
        this.ledger = ledger;
        this.teller = new Teller(ledger);
        this.faults = ledger.bean(CommitFaults.class);
    }

    @AfterEach
    void commitsSucceedAgain() {
        faults.none();
    }

    /** K08. */
    @Test
    void aRejectionInAGroupUndoesNothingBeforeItAndLeavesNoHoleBehindIt() {
        List<Outcome> outcomes = answers(teller.together(List.of(
                new Order("k08", "k08-1", 10),
                new Order("k08", "k08-2", -1000),
                new Order("k08", "k08-3", 5),
                new Order("k08", "k08-1", 10))));

        assertThat(Teller.receipt(outcomes.get(0)).balance()).isEqualTo(10);
        assertThat(outcomes.get(1)).isEqualTo(new Outcome.Rejected(new Rejection.InsufficientBalance(10, -1000)));
        assertThat(Teller.receipt(outcomes.get(2)).balance()).isEqualTo(15);
        assertThat(outcomes.get(3)).isInstanceOf(Outcome.Replayed.class);
        assertThat(Teller.receipt(outcomes.get(3)).balance()).isEqualTo(10);
        assertThat(journal().of("k08"))
                .containsExactly(new Journal.Entry("k08-1", 10, 10, 1), new Journal.Entry("k08-3", 5, 15, 2));
    }

    /** K09: what the cache held was never true. */
    @Test
    void afterACommitThatFailedLateTheNextCommandSeesTheStoredHistory() {
        teller.apply("k09", "k09-deposit", 100);
        failOnce(Fault.REFUSED);
        assertThatThrownBy(() -> teller.apply("k09", "k09-lost", -80)).hasMessageContaining("could not commit");

        assertThat(Teller.receipt(teller.apply("k09", "k09-next", -80)).balance())
                .isEqualTo(20);
        assertThat(teller.apply("k09", "k09-lost", -80))
                .isEqualTo(new Outcome.Rejected(new Rejection.InsufficientBalance(20, -80)));
        assertThat(journal().of("k09"))
                .extracting(Journal.Entry::operationId)
                .containsExactly("k09-deposit", "k09-next");
    }

    /** K10, and K05 for what the one is told. */
    @Test
    void onePoisonousCommandFailsAloneAndTheInnocentAreAppliedOnce() throws SQLException {
        List<Order> orders = IntStream.range(0, 100)
                .mapToObj(i -> new Order(i == 57 ? "k10-poison" : "k10-" + i % 10, "k10-" + i, 1))
                .toList();
        refuse("k10-poison");
        List<CompletableFuture<Outcome>> outcomes;
        try {
            outcomes = teller.together(orders);
            for (int i = 0; i < 100; i++) {
                if (i == 57) {
                    assertThat(Teller.failureOf(outcomes.get(i)))
                            .satisfies(failure ->
                                    assertThat(failure).rootCause().asString().containsIgnoringCase("k10_constraint"));
                } else {
                    assertThat(Teller.await(outcomes.get(i))).isInstanceOf(Outcome.Applied.class);
                }
            }
        } finally {
            stopRefusing();
        }
        Journal journal = journal();
        assertThat(journal.of("k10-poison")).isEmpty();
        assertThat(IntStream.range(0, 10).mapToLong(i -> journal.balance("k10-" + i)))
                .containsOnly(10L, 9L)
                .hasSize(10);
    }

    /** C6: the look-up says what became of a lost commit, and nothing is redone. */
    @Test
    void aCommitWhoseAnswerWasLostIsLookedUp() {
        teller.apply("lost", "lost-deposit", 100);
        List<Outcome> outcomes = answers(teller.together(
                List.of(new Order("lost", "lost-debit", -80), new Order("lost", "lost-debit-2", -80)),
                () -> failOnce(Fault.ANSWER_LOST)));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Replayed.class);
        assertThat(Teller.receipt(outcomes.get(0)).balance()).isEqualTo(20);
        assertThat(outcomes.get(1)).isEqualTo(new Outcome.Rejected(new Rejection.InsufficientBalance(20, -80)));
        assertThat(journal().balance("lost")).isEqualTo(20);
    }

    @Test
    void aCommitThatDidNotArriveIsTriedAgain() {
        teller.apply("not-arrived", "na-deposit", 100);
        failOnce(Fault.NOT_ARRIVED);

        assertThat(Teller.receipt(teller.apply("not-arrived", "na-debit", -80)).balance())
                .isEqualTo(20);
        assertThat(journal().balance("not-arrived")).isEqualTo(20);
    }

    /** C6: too-busy would say that nothing was applied. */
    @Test
    void whatMayHaveBeenCommittedIsNeverSaidNotToBeApplied() {
        Iterator<Fault> sequence = List.of(Fault.ANSWER_LOST, Fault.REFUSED).iterator();
        List<CompletableFuture<Outcome>> outcomes = teller.together(
                List.of(new Order("maybe", "maybe-1", 1), new Order("maybe", "maybe-2", 2)),
                () -> faults.next(() -> {
                    Fault fault = sequence.next();
                    if (!sequence.hasNext()) {
                        faults.outOfReach();
                    }
                    return fault;
                }));

        outcomes.forEach(outcome -> assertThat(Teller.failureOf(outcome))
                .isInstanceOf(OutcomeUnknownException.class)
                .isNotInstanceOf(TooBusyException.class));
        faults.none();
        assertThat(teller.apply("maybe", "maybe-1", 1)).isInstanceOf(Outcome.Replayed.class);
        assertThat(journal().balance("maybe")).isEqualTo(3);
    }

    /** An error, not an exception, in the phases of a commit: Axon's unit of work would not roll back. */
    @Test
    void anErrorWhileCommittingUndoesTheGroupAndTheNextOneCommits() {
        teller.apply("error", "error-deposit", 100);
        Registration failing = ledger.bean(GroupCommitCommandBus.class)
                .registerHandlerInterceptor((unitOfWork, chain) -> {
                    Object outcome = chain.proceed();
                    unitOfWork.onPrepareCommit(prepared -> {
                        throw new StackOverflowError("in a serializer");
                    });
                    return outcome;
                });
        assertThat(Teller.failureOf(teller.send(new Order("error", "error-lost", -80))))
                .isNotNull();
        failing.cancel();

        assertThat(Teller.receipt(teller.apply("error", "error-next", -80)).balance())
                .isEqualTo(20);
        assertThat(journal().of("error"))
                .extracting(Journal.Entry::operationId)
                .containsExactly("error-deposit", "error-next");
    }

    /** The same id on two accounts in one group: the database would refuse both, again and again. */
    @Test
    void oneIdOnTwoAccountsOfAGroupIsOneOperationAndOneConflict() {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            orders.add(new Order("twice-a", "twice-" + i, 1));
            orders.add(new Order("twice-b", "twice-" + i, 1));
        }
        long startedAt = System.nanoTime();
        List<Outcome> outcomes = answers(teller.together(orders));
        System.out.printf(
                "50 ids on two accounts each in one group: %d ms%n", (System.nanoTime() - startedAt) / 1_000_000);

        for (int i = 0; i < 100; i += 2) {
            assertThat(outcomes.get(i)).isInstanceOf(Outcome.Applied.class);
            assertThat(outcomes.get(i + 1))
                    .isInstanceOfSatisfying(
                            Outcome.Rejected.class,
                            rejected ->
                                    assertThat(rejected.rejection()).isInstanceOf(Rejection.OperationConflict.class));
        }
        assertThat(journal().balance("twice-a")).isEqualTo(50);
        assertThat(journal().of("twice-b")).isEmpty();
    }

    /** K21 and K01: more duplicates at once than there are connections. */
    @Test
    void aHundredDuplicatesAtOnceMakeProgressOnFiveConnections() throws Exception {
        Set<String> bodies = ConcurrentHashMap.newKeySet();
        List<Callable<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            calls.add(() -> ledger.client(Key.ALPHA).apply("k21", "k21", 7));
        }
        List<Answer> answers = concurrently(100, calls);

        answers.forEach(answer -> bodies.add(answer.text()));
        assertThat(answers.stream().map(Answer::status)).containsOnly(200, 201);
        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(1);
        assertThat(bodies).hasSize(1);
        assertThat(journal().of("k21")).hasSize(1);
    }

    /** K36. */
    @Test
    void sixtyFourWorkersAndRandomFailuresEndWithExactBalances() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed of the random failures: " + seed);
        Random random = new Random(seed);
        faults.next(() -> {
            synchronized (random) {
                return random.nextInt(10) > 1 ? Fault.NONE : Fault.values()[random.nextInt(Fault.values().length)];
            }
        });
        int accounts = 16;
        int perWorker = Scale.rounds(40);
        Map<String, Order> applied = new ConcurrentHashMap<>();
        List<Callable<Void>> workers = new ArrayList<>();
        for (int worker = 0; worker < 64; worker++) {
            String name = "k36-" + worker;
            workers.add(() -> {
                for (int i = 0; i < perWorker; i++) {
                    ThreadLocalRandom choice = ThreadLocalRandom.current();
                    Order order =
                            new Order("k36-" + choice.nextInt(accounts), name + "-" + i, choice.nextLong(-100, 120));
                    if (untilDecided(order) instanceof Outcome.Rejected rejected) {
                        assertThat(rejected.rejection()).isInstanceOf(Rejection.InsufficientBalance.class);
                    } else {
                        applied.put(order.operationId(), order);
                    }
                }
                return null;
            });
        }
        concurrently(64, workers);

        Map<String, Journal.Entry> stored = journal().byOperation();
        stored.keySet().removeIf(operation -> !operation.startsWith("k36-"));
        assertThat(stored.keySet()).isEqualTo(new HashSet<>(applied.keySet()));
        for (int i = 0; i < accounts; i++) {
            String account = "k36-" + i;
            assertThat(journal().balance(account))
                    .isEqualTo(applied.values().stream()
                            .filter(order -> order.account().equals(account))
                            .mapToLong(Order::delta)
                            .sum());
        }
    }

    /** As a caller does who never changes an id: again until there is an answer. */
    private Outcome untilDecided(Order order) {
        while (true) {
            CompletableFuture<Outcome> outcome = teller.send(order);
            if (Teller.failureOf(outcome) == null) {
                return outcome.join();
            }
        }
    }

    private void failOnce(Fault fault) {
        Iterator<Fault> once = List.of(fault).iterator();
        faults.next(() -> once.hasNext() ? once.next() : Fault.NONE);
    }

    private Journal journal() {
        return Journal.read(ledger.database());
    }

    private static List<Outcome> answers(List<CompletableFuture<Outcome>> outcomes) {
        return outcomes.stream().map(Teller::await).toList();
    }

    /** PostgreSQL refuses at the commit, H2, which cannot, at the insert. */
    private void refuse(String account) throws SQLException {
        if (ledger.database().kind() == Database.H2) {
            execute("alter table domain_event add constraint k10_constraint check" + " (aggregate_identifier <> 'alpha/"
                    + account + "')");
            return;
        }
        execute("create function k10() returns trigger language plpgsql as $$ begin"
                + " if new.aggregate_identifier = 'alpha/" + account + "' then raise exception 'k10_constraint'"
                + " using errcode = '23514', constraint = 'k10_constraint'; end if; return null; end $$");
        execute("create constraint trigger k10_constraint after insert on domain_event"
                + " deferrable initially deferred for each row execute function k10()");
    }

    private void stopRefusing() throws SQLException {
        execute(
                ledger.database().kind() == Database.H2
                        ? "alter table domain_event drop constraint k10_constraint"
                        : "drop trigger k10_constraint on domain_event");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = ledger.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static <T> List<T> concurrently(int threads, List<Callable<T>> calls) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> future : executor.invokeAll(calls)) {
                results.add(future.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }
}
