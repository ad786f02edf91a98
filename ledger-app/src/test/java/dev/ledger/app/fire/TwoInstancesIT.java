package dev.ledger.app.fire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.fire.Teller.Order;
import dev.ledger.app.store.Database;
import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.app.testing.TestDatabase;
import dev.ledger.domain.balance.Outcome;
import dev.ledger.domain.balance.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** B6: two instances on one PostgreSQL, the same accounts at the same time. */
class TwoInstancesIT {

    private static final int ROUNDS_AT_ONCE = 250;

    private static TestDatabase database;
    private static RunningLedger first;
    private static RunningLedger second;
    private static Teller a;
    private static Teller b;

    @BeforeAll
    static void start() {
        database = TestDatabase.create(Database.POSTGRESQL);
        first = RunningLedger.start(database);
        second = RunningLedger.start(database);
        a = new Teller(first);
        b = new Teller(second);
    }

    @AfterAll
    static void stop() {
        second.close();
        first.close();
        database.close();
    }

    /** K07. */
    @Test
    void ofTwoWithdrawalsOfEightyFromAHundredAtOnceOneSucceeds() {
        int rounds = Scale.rounds(3000);
        int wonByA = 0;
        for (int done = 0; done < rounds; done += ROUNDS_AT_ONCE) {
            List<CompletableFuture<Outcome>> deposits = new ArrayList<>();
            for (int i = done; i < done + ROUNDS_AT_ONCE; i++) {
                deposits.add((i % 2 == 0 ? a : b).send(new Order("k07-" + i, "k07-in-" + i, 100)));
            }
            deposits.forEach(Teller::await);
            List<CompletableFuture<Outcome>> atA = new ArrayList<>();
            List<CompletableFuture<Outcome>> atB = new ArrayList<>();
            for (int i = done; i < done + ROUNDS_AT_ONCE; i++) {
                atA.add(a.send(new Order("k07-" + i, "k07-a-" + i, -80)));
                atB.add(b.send(new Order("k07-" + i, "k07-b-" + i, -80)));
            }
            for (int i = 0; i < ROUNDS_AT_ONCE; i++) {
                Outcome one = Teller.await(atA.get(i));
                Outcome other = Teller.await(atB.get(i));
                Outcome winner = one instanceof Outcome.Applied ? one : other;
                Outcome loser = winner == one ? other : one;
                assertThat(Teller.receipt(winner).balance()).isEqualTo(20);
                assertThat(loser).isEqualTo(new Outcome.Rejected(new Rejection.InsufficientBalance(20, -80)));
                wonByA += winner == one ? 1 : 0;
            }
        }
        System.out.printf("K07: %d rounds, %d won by the first instance%n", rounds, wonByA);
        Journal journal = Journal.read(database);
        for (int i = 0; i < rounds; i++) {
            assertThat(journal.balance("k07-" + i)).isEqualTo(20);
            assertThat(journal.of("k07-" + i)).hasSize(2);
        }
    }

    @Test
    void whatOneInstanceHasAcknowledgedTheOtherKnowsAtOnceWhateverItHasCached() {
        a.apply("stale", "stale-0", 1);
        b.apply("stale", "stale-1", 1);
        for (int i = 0; i < Scale.rounds(300); i++) {
            Teller one = i % 2 == 0 ? a : b;
            Teller other = i % 2 == 0 ? b : a;
            assertThat(one.apply("stale", "stale-in-" + i, 1000)).isInstanceOf(Outcome.Applied.class);
            // With what it has cached the other one would refuse this.
            assertThat(Teller.receipt(other.apply("stale", "stale-out-" + i, -1001))
                            .balance())
                    .isEqualTo(1);
            // And would grant this.
            assertThat(one.apply("stale", "stale-refused-" + i, -2))
                    .isEqualTo(new Outcome.Rejected(new Rejection.InsufficientBalance(1, -2)));
            Teller.receipt(other.apply("stale", "stale-again-" + i, 1));
        }
        assertThat(Journal.read(database).balance("stale")).isEqualTo(2);
    }

    /** Whoever is asked first on a cold account, and after a refusal that cached an empty one. */
    @Test
    void anEmptyAccountThatWasRefusedOnceIsNotCachedAsEmpty() {
        for (int i = 0; i < 50; i++) {
            assertThat(b.apply("empty-" + i, "empty-early-" + i, -5)).isInstanceOf(Outcome.Rejected.class);
            a.apply("empty-" + i, "empty-in-" + i, 5);
            assertThat(b.apply("empty-" + i, "empty-early-" + i, -5)).isInstanceOf(Outcome.Applied.class);
        }
    }

    @Test
    void bothInstancesAnswerADuplicateWithTheSameBytes() {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            RunningLedger ledger = i % 2 == 0 ? first : second;
            answers.add(
                    CompletableFuture.supplyAsync(() -> ledger.client(Key.ALPHA).apply("bytes", "bytes-1", 12)));
        }
        List<Answer> all = answers.stream().map(CompletableFuture::join).toList();

        assertThat(all.stream().map(Answer::text).distinct()).hasSize(1);
        assertThat(all.stream().map(Answer::status)).containsOnly(200, 201);
        first.client(Key.ALPHA).apply("bytes", "bytes-1", 13).isProblem(409, "operation-conflict");
        second.client(Key.ALPHA).apply("bytes", "bytes-1", 13).isProblem(409, "operation-conflict");
        assertThat(Journal.read(database).of("bytes")).hasSize(1);
    }

    /** The figure is what wrong routing costs. */
    @Test
    void oneHotAccountOnTwoInstancesIsSlowerButExact() {
        int operations = Scale.rounds(2000);
        double one = operationsPerSecond("hot-one", operations, List.of(a));
        double two = operationsPerSecond("hot-two", operations, List.of(a, b));
        System.out.printf(
                "one hot account: %.0f operations/s on one instance, %.0f on two (%.2f)%n", one, two, two / one);

        Journal journal = Journal.read(database);
        assertThat(journal.of("hot-one")).hasSize(operations);
        assertThat(journal.of("hot-two")).hasSize(operations);
        assertThat(journal.balance("hot-two")).isEqualTo(operations);
    }

    private static double operationsPerSecond(String account, int operations, List<Teller> tellers) {
        long startedAt = System.nanoTime();
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < operations; i++) {
            outcomes.add(tellers.get(i % tellers.size()).send(new Order(account, account + "-" + i, 1)));
            if (i % 64 == 63) {
                outcomes.forEach(Teller::await);
            }
        }
        outcomes.forEach(outcome -> assertThat(Teller.await(outcome)).isInstanceOf(Outcome.Applied.class));
        return operations * 1e9 / (System.nanoTime() - startedAt);
    }
}
