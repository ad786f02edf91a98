package dev.ledger.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A stop finishes what was accepted, and a start goes on where the stop left off. */
@OnBothDatabases
@ExtendWith(OutputCaptureExtension.class)
class RestartIT {

    private static final int CALLERS = 8;

    private final RunningLedger ledger;

    RestartIT(RunningLedger ledger) {
        this.ledger = ledger;
    }

    /** Operation ids by what the caller was told. */
    private record Told(Set<String> applied, Set<String> unanswered) {

        Told() {
            this(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
        }
    }

    private static void call(LedgerClient client, String account, String id, Told told) {
        try {
            Answer answer = client.apply(account, id, 1);
            assertThat(answer.status()).as(answer.text()).isIn(200, 201, 503);
            (answer.status() == 503 ? told.unanswered() : told.applied()).add(id);
        } catch (UncheckedIOException e) {
            // The ledger was stopping: connection refused, or closed before an answer.
            told.unanswered().add(id);
        }
    }

    @Test
    void aStopFinishesWhatItAcceptedAndEveryAnswerIsTrue() throws InterruptedException {
        Told told = new Told();
        LedgerClient client = ledger.client(Key.ALPHA);
        ExecutorService callers = Executors.newFixedThreadPool(50);
        CountDownLatch firstAnswers = new CountDownLatch(20);
        for (int i = 0; i < 200; i++) {
            String id = "stop-" + i;
            callers.execute(() -> {
                call(client, "stop", id, told);
                firstAnswers.countDown();
            });
        }
        firstAnswers.await();

        ledger.restart();

        callers.shutdown();
        assertThat(callers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        assertThat(told.applied().size() + told.unanswered().size()).isEqualTo(200);
        for (String id : told.applied()) {
            ledger.client(Key.ALPHA).receipt("stop", id).hasStatus(200);
        }
        long stored = ledger.storedOperations(Key.ALPHA, "stop");
        assertThat(stored).isBetween((long) told.applied().size(), 200L);
        assertThat(ledger.client(Key.ALPHA)
                        .apply("stop", "stop-end", 0)
                        .json()
                        .path("balance")
                        .asLong())
                .isEqualTo(stored);
    }

    /** K26. */
    @Test
    void tenRestartsUnderLoadLeaveNoDuplicateKeyNoHoleAndNoStall(CapturedOutput output) throws InterruptedException {
        Told told = new Told();
        AtomicInteger next = new AtomicInteger();
        for (int restart = 0; restart < 10; restart++) {
            LedgerClient client = ledger.client(Key.ALPHA);
            ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
            CountDownLatch underLoad = new CountDownLatch(100);
            AtomicInteger stopping = new AtomicInteger();
            for (int caller = 0; caller < CALLERS; caller++) {
                callers.execute(() -> {
                    while (stopping.get() == 0) {
                        call(client, "restart", "restart-" + next.incrementAndGet(), told);
                        underLoad.countDown();
                    }
                });
            }
            assertThat(underLoad.await(60, TimeUnit.SECONDS)).as("no stall").isTrue();
            ledger.stop();
            stopping.set(1);
            callers.shutdown();
            assertThat(callers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            ledger.start();
        }

        LedgerClient client = ledger.client(Key.ALPHA);
        long stored = ledger.storedOperations(Key.ALPHA, "restart");
        assertThat(stored).isGreaterThanOrEqualTo(told.applied().size());
        // What got no answer is sent again under its id, and takes effect once.
        told.unanswered()
                .forEach(id ->
                        assertThat(client.apply("restart", id, 1).status()).isIn(200, 201));
        long sent = next.get();
        assertThat(ledger.storedOperations(Key.ALPHA, "restart")).isEqualTo(sent);
        assertThat(ledger.jdbc()
                        .queryForObject(
                                "select max(sequence_number) + 1 from domain_event where aggregate_identifier = ?",
                                Long.class,
                                "alpha/restart"))
                .as("sequences without holes")
                .isEqualTo(sent);
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            Answer account = client.get("/v1/accounts/restart?atLeast=" + sent).hasStatus(200);
            assertThat(account.json().path("balance").asLong()).isEqualTo(sent);
            assertThat(account.json().path("operations").asLong()).isEqualTo(sent);
        });
        assertThat(output.getAll().toLowerCase())
                .doesNotContain("duplicate key")
                .doesNotContain("primary key violation");
    }
}
