package dev.ledger.app.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.LedgerClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Callers over HTTP that do what callers should: keep the id and send the operation again until it is decided. They
 * remember every answer, and judge the final data by them.
 */
final class Load implements AutoCloseable {

    /** For a processor that failed while its database was away, and tries again after growing pauses. */
    private static final Duration TAKE_OVER = Duration.ofSeconds(90);

    private static final JsonMapper JSON = new JsonMapper();
    private static final int ACCOUNTS = 6;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Supplier<LedgerClient> instances;
    private final ExecutorService callers;
    private final List<Future<?>> running = new ArrayList<>();
    private final Map<String, Decided> decided = new ConcurrentHashMap<>();
    private final AtomicInteger uncertain = new AtomicInteger();
    private final AtomicInteger cutOff = new AtomicInteger();
    private volatile boolean stopping;

    private record Decided(String account, long delta, int status, String body) {}

    /** @param instances whom to ask next; one that is down is a failed try */
    Load(int callers, Supplier<LedgerClient> instances) {
        this.instances = instances;
        this.callers = Executors.newFixedThreadPool(callers);
        for (int caller = 0; caller < callers; caller++) {
            String name = "caller-" + caller + "-";
            running.add(this.callers.submit(() -> call(name)));
        }
    }

    private void call(String name) {
        for (int i = 0; !stopping; i++) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            String account = "load-" + random.nextInt(ACCOUNTS);
            long delta = random.nextLong(-50, 60);
            String operationId = name + i;
            decided.put(operationId, untilDecided(account, operationId, delta));
        }
    }

    private Decided untilDecided(String account, String operationId, long delta) {
        while (true) {
            try {
                Answer answer = instances.get().apply(account, operationId, delta);
                if (answer.status() < 300 || answer.status() == 422) {
                    return new Decided(account, delta, answer.status(), answer.text());
                }
                if (answer.text().contains("not well-formed HTTP")) {
                    // Seen from a web server that is about to stop. It is no answer to the operation.
                    cutOff.incrementAndGet();
                } else {
                    assertThat(answer.text()).containsAnyOf("outcome-unknown", "too-busy", "operation-in-progress");
                    assertThat(answer.header("Retry-After")).isNotEmpty();
                }
            } catch (UncheckedIOException killed) {
                // Applied once or not at all; only another try can tell.
            }
            uncertain.incrementAndGet();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    int decided() {
        return decided.size();
    }

    /** Lets every caller finish his operation; some instance has to be up. */
    void finish() throws Exception {
        stopping = true;
        for (Future<?> caller : running) {
            caller.get(60, TimeUnit.SECONDS);
        }
        callers.shutdown();
    }

    /** Every acknowledged operation is there exactly once as its receipt says; every refused one is not there. */
    void isIn(Journal journal) {
        Map<String, Journal.Entry> stored = new HashMap<>(journal.byOperation());
        decided.forEach((operationId, answer) -> {
            Journal.Entry entry = stored.remove(operationId);
            if (answer.status() == 422) {
                assertThat(entry).as("refused %s", operationId).isNull();
                return;
            }
            assertThat(entry).as("acknowledged %s", answer).isNotNull();
            JsonNode receipt = JSON.readTree(answer.body());
            assertThat(entry.delta()).isEqualTo(answer.delta());
            assertThat(receipt.path("balance").asLong()).isEqualTo(entry.balance());
            assertThat(receipt.path("sequence").asLong()).isEqualTo(entry.sequence());
        });
        assertThat(stored).as("stored and never acknowledged").isEmpty();
        System.out.printf(
                "%d operations decided, %d uncertain tries, %d cut off%n",
                decided.size(), uncertain.get(), cutOff.get());
    }

    /** Of the operations that were acknowledged, some again: the same bytes from whichever instance. */
    void isAnsweredAgainBy(LedgerClient client) {
        decided.entrySet().stream()
                .filter(entry -> entry.getValue().status() < 300)
                .limit(200)
                .forEach(entry -> {
                    Decided first = entry.getValue();
                    Answer again = client.apply(first.account(), entry.getKey(), first.delta());
                    assertThat(again.status()).isEqualTo(200);
                    assertThat(again.text()).isEqualTo(first.body());
                });
    }

    /** The read models have every operation, without a stall and without a second effect. */
    void isShownBy(LedgerClient client, Journal journal) {
        for (int i = 0; i < ACCOUNTS; i++) {
            String account = "load-" + i;
            List<Journal.Entry> entries = journal.of(account);
            if (!entries.isEmpty()) {
                String path = "/v1/accounts/" + account + "?atLeast=" + entries.size();
                await().atMost(TAKE_OVER).until(() -> client.get(path).status() == 200);
                JsonNode shown = client.get(path).hasStatus(200).json();
                assertThat(shown.path("balance").asLong()).isEqualTo(journal.balance(account));
                assertThat(shown.path("operations").asLong()).isEqualTo(entries.size());
            }
        }
    }

    @Override
    public void close() {
        stopping = true;
        callers.shutdownNow();
    }
}
