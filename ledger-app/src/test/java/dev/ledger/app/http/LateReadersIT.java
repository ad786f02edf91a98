package dev.ledger.app.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Batches of callers who read late, or never, or fall silent; Tomcat's own patience is a second here. */
@OnBothDatabases(
        properties = {
            "server.tomcat.connection-timeout=1s",
            "ledger.http.stream-idle-timeout=5s",
            "ledger.http.take-timeout=3s",
            "ledger.http.max-spool-per-batch=32MB"
        })
class LateReadersIT {

    private static final Duration LONGER_THAN_TOMCAT_WAITS = Duration.ofMillis(2500);

    /** So much is answered that it fits neither into the sockets' buffers nor into memory. */
    private static final int MANY = 4000;

    private final RunningLedger ledger;

    LateReadersIT(RunningLedger ledger) {
        this.ledger = ledger;
    }

    /** One operation, told again and again: each answer holds its 4 KB of attributes. */
    private static String line(String account) {
        return "{\"account\":\"%s\",\"operationId\":\"%s-1\",\"delta\":1,\"attributes\":{\"k\":\"%s\"}}\n"
                .formatted(account, account, "v".repeat(4000));
    }

    /** With little room for what is not read yet. */
    private Socket batch() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 * 1024);
        socket.setSoTimeout(60_000);
        socket.connect(new InetSocketAddress("localhost", ledger.port()));
        write(
                socket,
                "POST /v1/operations HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                        + Key.ALPHA.secret()
                        + "\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n");
        return socket;
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
    }

    private static void chunk(Socket socket, String text) throws IOException {
        write(socket, Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
    }

    private static void pass(Duration time) {
        await().pollDelay(time).atMost(time.multipliedBy(10)).until(() -> true);
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    private double cut(String reason) {
        return ledger.bean(MeterRegistry.class)
                .counter("ledger.http.batches.cut", "reason", reason)
                .count();
    }

    @Test
    void aCallerWhoSendsForLongBeforeItReadsGetsEveryAnswerInOrder() throws IOException {
        String line = line("late");
        try (Socket socket = batch()) {
            for (int i = 0; i < MANY; i++) {
                chunk(socket, line);
            }
            for (int i = 0; i < 4; i++) {
                pass(Duration.ofMillis(800));
                chunk(socket, line);
            }
            write(socket, "0\r\n\r\n");

            List<JsonNode> answers =
                    Answer.parse(socket.getInputStream().readAllBytes()).lines();
            assertThat(answers).hasSize(MANY + 4);
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get("line").asInt()).isEqualTo(i + 1);
                assertThat(answers.get(i).get("status").asString()).isEqualTo(i == 0 ? "applied" : "replayed");
            }
        }
        assertThat(ledger.storedOperations(Key.ALPHA, "late")).isEqualTo(1);
    }

    @Test
    void aCallerWhoNeverReadsIsCutAtTheBoundAndWhatWasCommittedStays() throws IOException {
        double before = cut("not-taking");
        String line = line("never");
        try (Socket socket = batch()) {
            for (int i = 0; i < 10 * MANY; i++) {
                chunk(socket, line);
            }
        } catch (IOException e) {
            // That is how it learns of it.
        }

        await().atMost(Duration.ofSeconds(60)).until(() -> cut("not-taking") == before + 1);
        ledger.client(Key.ALPHA).receipt("never", "never-1").hasStatus(200);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> ledger.bean(MeterRegistry.class)
                                .get("ledger.http.spool")
                                .gauge()
                                .value()
                        == 0);
    }

    @Test
    void aStreamMayBeSilentForLongerThanAnOrdinaryRequest() throws IOException {
        try (Socket socket = batch()) {
            BufferedReader answers = reader(socket);
            chunk(socket, "{\"account\":\"silent\",\"operationId\":\"silent-1\",\"delta\":1}\n");
            assertThat(lineWith(answers, "\"line\":1")).contains("applied");
            pass(LONGER_THAN_TOMCAT_WAITS);
            chunk(socket, "{\"account\":\"silent\",\"operationId\":\"silent-2\",\"delta\":1}\n");
            assertThat(lineWith(answers, "\"line\":2")).contains("applied");
        }
    }

    @Test
    void aStreamThatIsSilentForTooLongIsCutAndWhatWasAnsweredIsTrue() throws IOException {
        double before = cut("silent");
        try (Socket socket = batch()) {
            BufferedReader answers = reader(socket);
            chunk(socket, "{\"account\":\"dumb\",\"operationId\":\"dumb-1\",\"delta\":1}\n");
            assertThat(lineWith(answers, "\"line\":1")).contains("applied");

            assertThat(lineWith(answers, "\"line\":2")).isNull();
        }
        await().until(() -> cut("silent") == before + 1);
        ledger.client(Key.ALPHA).receipt("dumb", "dumb-1").hasStatus(200);
    }

    @Test
    void aStreamThatNeverBeginsIsCutToo() throws IOException {
        double before = cut("silent");
        try (Socket socket = batch()) {
            assertThat(lineWith(reader(socket), "HTTP/1.1")).isNull();
        }
        await().until(() -> cut("silent") == before + 1);
    }

    /** Null if the ledger has closed the connection, or reset it. */
    private static String lineWith(BufferedReader reader, String part) {
        try {
            String line = reader.readLine();
            while (line != null && !line.contains(part)) {
                line = reader.readLine();
            }
            return line;
        } catch (IOException e) {
            return null;
        }
    }
}
