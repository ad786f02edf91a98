package dev.ledger.app.start;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
    private record Told(Set<String> applied, Set<String> unanswered, Set<String> wrong) {

        Told() {
            this(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
        }
    }

    /** @return whether there was an answer */
    private static boolean call(LedgerClient client, String account, String id, Told told) {
        try {
            Answer answer = client.apply(account, id, 1);
            switch (answer.status()) {
                case 200, 201 -> told.applied().add(id);
                case 503 -> told.unanswered().add(id);
                default -> told.wrong().add(id + " " + answer.status() + " " + answer.text());
            }
            return answer.status() < 300;
        } catch (UncheckedIOException e) {
            // The ledger was stopping: connection refused, or closed before an answer.
            told.unanswered().add(id);
            return false;
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
        assertThat(told.wrong()).isEmpty();
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

    @Test
    void whileItStopsAnOpenBatchIsFinishedAndWhoeverComesIsToldToComeBack() throws IOException {
        LedgerClient client = ledger.client(Key.ALPHA);
        try (Socket batch = client.open();
                Socket idle = client.open()) {
            BufferedReader answers = reader(batch);
            write(batch, head("POST /v1/operations", "application/x-ndjson", "Transfer-Encoding: chunked"));
            chunk(batch, "{\"account\":\"open\",\"operationId\":\"open-1\",\"delta\":1}\n");
            assertThat(lineWith(answers, "applied")).isNotNull();
            BufferedReader told = reader(idle);
            write(idle, head("PUT /v1/accounts/open/operations/open-2", "application/json", "Content-Length: 11"));
            write(idle, "{\"delta\":1}");
            assertThat(lineWith(told, "HTTP/1.1")).contains("201");

            CompletableFuture<Void> stopping = CompletableFuture.runAsync(ledger::stop);
            await().until(() -> isRefused(client));
            assertThat(afterTheStopBegan(idle, told)).isIn("closed", "503");
            chunk(batch, "{\"account\":\"open\",\"operationId\":\"open-4\",\"delta\":1}\n");
            write(batch, "0\r\n\r\n");
            assertThat(lineWith(answers, "applied")).isNotNull();
            stopping.join();
        }
        ledger.start();

        assertThat(ledger.storedOperations(Key.ALPHA, "open")).isEqualTo(3);
        ledger.client(Key.ALPHA).receipt("open", "open-3").isProblem(404, "not-found");
        ledger.client(Key.ALPHA).receipt("open", "open-4").hasStatus(200);
    }

    @Test
    void whoeverIsCutShortByAStopIsNotToldThatHisRequestWasBad() throws IOException {
        LedgerClient client = ledger.client(Key.ALPHA);
        try (Socket cut = client.open()) {
            BufferedReader told = reader(cut);
            String framing = "Transfer-Encoding: chunked\r\nExpect: 100-continue";
            write(cut, head("PUT /v1/accounts/cut/operations/cut-1", "application/json", framing));
            assertThat(lineWith(told, "HTTP/1.1")).contains("100");
            chunk(cut, "{\"delta\":");

            CompletableFuture<Void> stopping = CompletableFuture.runAsync(ledger::stop);
            await().until(() -> isRefused(client));
            write(cut, "0\r\n\r\n");

            assertThat(lineWith(told, "HTTP/1.1")).contains("503");
            stopping.join();
        }
        ledger.start();
        ledger.client(Key.ALPHA).receipt("cut", "cut-1").isProblem(404, "not-found");
    }

    /** An open connection is closed, or answered with 503; nobody is told that a good request is a bad one. */
    private static String afterTheStopBegan(Socket idle, BufferedReader told) {
        try {
            write(idle, head("PUT /v1/accounts/open/operations/open-3", "application/json", "Content-Length: 11"));
            write(idle, "{\"delta\":1}");
            String line = lineWith(told, "HTTP/1.1");
            return line == null ? "closed" : line.replaceAll(".*HTTP/1.1 (\\d+).*", "$1");
        } catch (IOException e) {
            return "closed";
        }
    }

    private static boolean isRefused(LedgerClient client) {
        try (Socket socket = client.open()) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static String head(String request, String type, String framing) {
        return request + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + Key.ALPHA.secret()
                + "\r\nContent-Type: " + type + "\r\n" + framing + "\r\n\r\n";
    }

    private static void chunk(Socket socket, String text) throws IOException {
        write(socket, Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    /** The next line with this in it; the body of the answer before may be on the same line. */
    private static String lineWith(BufferedReader reader, String part) throws IOException {
        String line = reader.readLine();
        while (line != null && !line.contains(part)) {
            line = reader.readLine();
        }
        return line;
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
            for (int caller = 0; caller < CALLERS; caller++) {
                callers.execute(() -> {
                    while (call(client, "restart", "restart-" + next.incrementAndGet(), told)) {
                        underLoad.countDown();
                    }
                });
            }
            assertThat(underLoad.await(60, TimeUnit.SECONDS)).as("no stall").isTrue();
            ledger.stop();
            callers.shutdown();
            assertThat(callers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            ledger.start();
        }

        assertThat(told.wrong()).isEmpty();
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
