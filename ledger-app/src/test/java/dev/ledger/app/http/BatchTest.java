package dev.ledger.app.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A line in, a line out, in order; a broken line is a rejected line, never a broken stream. */
@OnBothDatabases(properties = "ledger.http.max-line=1KB")
class BatchTest {

    private static final int LIMIT_BYTES = 1024;

    private final RunningLedger ledger;
    private final LedgerClient alpha;

    BatchTest(RunningLedger ledger) {
        this.ledger = ledger;
        this.alpha = ledger.client(Key.ALPHA);
    }

    private static String line(String account, String operationId, long delta) {
        return "{\"account\":\"" + account + "\",\"operationId\":\"" + operationId + "\",\"delta\":" + delta + "}";
    }

    @Test
    void everyLineHasItsOwnOutcomeInOrder() {
        alpha.apply("mixed", "mixed-0", 10);

        Answer answer = alpha.batch(String.join(
                "\n",
                line("mixed", "mixed-1", 5),
                line("mixed", "mixed-0", 10),
                line("mixed", "mixed-2", -100),
                line("mixed", "mixed-1", 6),
                line("mixed", "mixed-1", 5),
                line("mixed", "mixed-2", 100),
                line("mixed-rich", "mixed-3", Long.MAX_VALUE),
                line("mixed-rich", "mixed-4", 1)));

        List<JsonNode> lines = answer.hasStatus(200).lines();
        assertThat(answer.header("Content-Type")).isEqualTo("application/x-ndjson");
        assertThat(lines)
                .extracting(line -> line.path("line").asInt() + " "
                        + line.path("status").asString() + " "
                        + line.path("problem").path("code").asString()
                        + line.path("receipt").path("balance").asString())
                .containsExactly(
                        "1 applied 15",
                        "2 replayed 10",
                        "3 rejected insufficient-balance",
                        "4 rejected operation-conflict",
                        "5 replayed 15",
                        "6 applied 115",
                        "7 applied " + Long.MAX_VALUE,
                        "8 rejected balance-overflow");
        assertThat(lines.get(2).path("problem").path("type").asString())
                .isEqualTo("urn:ledger:problem:insufficient-balance");
        assertThat(lines.get(2).path("problem").path("balance").asLong()).isEqualTo(15);
        assertThat(ledger.storedOperations(Key.ALPHA, "mixed")).isEqualTo(3);
    }

    @Test
    void aLineIsAnsweredWithTheSameReceiptAsASingleOperation() {
        JsonNode line =
                alpha.batch(line("single", "single-1", 5) + "\n").lines().get(0);

        assertThat(line.path("receipt").toString())
                .isEqualTo(alpha.apply("single", "single-1", 5).hasStatus(200).text());
    }

    @Test
    void brokenLinesAreRejectedLinesAndTheRestIsApplied() {
        String tooLong =
                line("broken", "broken-long", 1).replace("}", ",\"memo\":\"" + "x".repeat(LIMIT_BYTES) + "\"}");
        List<JsonNode> lines = alpha.batch(String.join(
                        "\n",
                        line("broken", "broken-1", 1),
                        "{\"account\":\"broken\",\"operationId\":",
                        line("broken", "broken-2", 1),
                        "",
                        line("broken", "broken-3", 1),
                        tooLong,
                        line("broken", "broken-4", 1) + "\r",
                        "[]",
                        "{\"account\":\"broken\",\"delta\":1}",
                        "{\"operationId\":\"broken-5\",\"delta\":1}",
                        line("bro ken", "broken-6", 1),
                        line("broken", "broken-7", 1).replace("}", ",\"tenant\":\"beta\"}"),
                        line("broken", "broken-8", 1).replace("}", ",\"memo\":\"\\u0000\"}"),
                        line("broken", "broken-9", 1) + line("broken", "broken-9", 1),
                        line("broken", "broken-10", 1)))
                .hasStatus(200)
                .lines();

        assertThat(lines)
                .extracting(line -> line.path("status").asString()
                        + line.path("problem").path("code").asString())
                .containsExactly(
                        "applied",
                        "rejectedinvalid-request",
                        "applied",
                        "rejectedinvalid-request",
                        "applied",
                        "rejectedpayload-too-large",
                        "applied",
                        "rejectedinvalid-request",
                        "rejectedinvalid-request",
                        "rejectedinvalid-request",
                        "rejectedinvalid-request",
                        "rejectedinvalid-request",
                        "rejectedinvalid-request",
                        "rejectedinvalid-request",
                        "applied");
        assertThat(lines)
                .extracting(line -> line.path("line").asInt())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, lines.size()).boxed().toList());
        assertThat(ledger.storedOperations(Key.ALPHA, "broken")).isEqualTo(5);
    }

    @Test
    void bytesThatAreNoUtf8SpoilTheirLineOnly() {
        byte[] lines = (line("bytes", "bytes-1", 1) + "\n" + line("bytes", "bytes-?", 1) + "\n"
                        + line("bytes", "bytes-3", 1))
                .getBytes(UTF_8);
        for (int i = 0; i < lines.length; i++) {
            lines[i] = lines[i] == '?' ? (byte) 0xff : lines[i];
        }

        assertThat(alpha.batch(lines).lines())
                .extracting(line -> line.path("status").asString())
                .containsExactly("applied", "rejected", "applied");
    }

    @Test
    void aLineAtTheLimitIsReadAndOneByteMoreIsNot() {
        String line = line("limit", "limit-1", 1);
        String atLimit = line + " ".repeat(LIMIT_BYTES - line.length());

        assertThat(alpha.batch(atLimit + "\n" + atLimit + " \n" + atLimit + " ").lines())
                .extracting(answer -> answer.path("status").asString())
                .containsExactly("applied", "rejected", "rejected");
    }

    /** The limit is of the line without its end, whichever end that is. */
    @Test
    void aCarriageReturnIsNoPartOfALine() {
        String line = line("return", "return-1", 1);
        String atLimit = line + " ".repeat(LIMIT_BYTES - line.length());

        assertThat(alpha.batch(atLimit + "\r\n" + line + "\r\n").lines())
                .extracting(answer -> answer.path("status").asString())
                .containsExactly("applied", "replayed");
    }

    @Test
    void anEmptyBatchHasAnEmptyAnswer() {
        assertThat(alpha.batch("").hasStatus(200).body()).isEmpty();
        assertThat(alpha.batch("\n").lines()).hasSize(1);
    }

    /** A caller that reads nothing before all is sent must not make the ledger wait for it, nor fill its memory. */
    @Test
    void twentyThousandLinesMayBeSentBeforeTheFirstAnswerIsRead() throws IOException {
        int count = 20_000;
        byte[] body = IntStream.range(0, count)
                .mapToObj(i -> line("bulk-" + i % 7, "bulk-" + i, 1))
                .collect(Collectors.joining("\n"))
                .getBytes(UTF_8);
        try (Socket socket = alpha.open()) {
            OutputStream out = socket.getOutputStream();
            // HTTP/1.0: the answer is not chunked, so its lines can be read as they come.
            out.write(head("1.0", "Content-Length: " + body.length));
            out.write(body);
            out.flush();

            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            assertThat(in.readLine()).contains("200");
            long applied = 0;
            long expected = 1;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("{\"line\":")) {
                    assertThat(line).startsWith("{\"line\":" + expected++ + ",\"status\":\"applied\"");
                    applied++;
                }
            }
            assertThat(applied).isEqualTo(count);
        }
        assertThat(ledger.jdbc()
                        .queryForObject(
                                "select count(*) from domain_event where aggregate_identifier like 'alpha/bulk-%'",
                                Long.class))
                .isEqualTo(count);
    }

    @Test
    void anAnswerComesAsSoonAsItsLineHasBeenCommittedAlthoughTheStreamIsStillOpen() throws IOException {
        try (Socket socket = alpha.open()) {
            OutputStream out = socket.getOutputStream();
            out.write(head("1.1", "Transfer-Encoding: chunked"));
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            for (int i = 1; i <= 3; i++) {
                chunk(out, line("open", "open-" + i, 1) + "\n");

                assertThat(nextAnswer(in)).startsWith("{\"line\":" + i + ",\"status\":\"applied\"");
                assertThat(ledger.storedOperations(Key.ALPHA, "open")).isEqualTo(i);
            }
            out.write("0\r\n\r\n".getBytes(UTF_8));
        }
    }

    /** What was read is applied or is not; nothing is half-applied, and nobody else notices. */
    @Test
    void aCallerThatHangsUpHalfWayLeavesWholeOperationsOnly() throws IOException {
        for (int round = 0; round < 5; round++) {
            try (Socket socket = alpha.open()) {
                socket.setSoLinger(true, 0);
                OutputStream out = socket.getOutputStream();
                out.write(head("1.1", "Transfer-Encoding: chunked"));
                for (int i = 0; i < 300; i++) {
                    chunk(out, line("gone", "gone-" + round + "-" + i, 1) + "\n");
                }
                chunk(out, line("gone", "gone-half-" + round, 1).substring(0, 20));
            }
        }

        // Sent again as a whole, while the rest of the first tries may still be under way: nothing twice, nothing lost.
        String again = IntStream.range(0, 1500)
                .mapToObj(i -> line("gone", "gone-" + i / 300 + "-" + i % 300, 1))
                .collect(Collectors.joining("\n"));
        assertThat(alpha.batch(again).lines())
                .extracting(line -> line.path("status").asString())
                .hasSize(1500)
                .containsOnly("applied", "replayed");
        assertThat(ledger.storedOperations(Key.ALPHA, "gone")).isEqualTo(1500);
        assertThat(alpha.apply("gone", "gone-after", 1).json().path("balance").asLong())
                .isEqualTo(1501);
        alpha.get("/actuator/health/readiness").hasStatus(200);
    }

    private static byte[] head(String version, String framing) {
        return ("POST /v1/operations HTTP/" + version
                        + "\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " + Key.ALPHA.secret()
                        + "\r\nContent-Type: application/x-ndjson\r\n" + framing + "\r\n\r\n")
                .getBytes(UTF_8);
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        out.write((Integer.toHexString(text.length()) + "\r\n" + text + "\r\n").getBytes(UTF_8));
    }

    private static String nextAnswer(BufferedReader in) throws IOException {
        String line = in.readLine();
        while (line != null && !line.startsWith("{")) {
            line = in.readLine();
        }
        return line;
    }
}
