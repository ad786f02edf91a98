package dev.ledger.benchmarks;

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** This ledger over HTTP: batches of 2,000 lines on four connections. */
final class HttpBatches implements Contender {

    private static final int CONNECTIONS = 4;
    private static final int LINES = 2_000;
    private static final byte[] APPLIED = "\"applied\"".getBytes(StandardCharsets.US_ASCII);

    private final RunningLedger ledger;

    HttpBatches(RunningLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "ledger, HTTP batches";
    }

    @Override
    public Round run(Scenario scenario, Duration time) throws Exception {
        AtomicLong applied = new AtomicLong();
        Round batches = Blocking.run(CONNECTIONS, time, ignored -> applied.addAndGet(send(scenario)));
        return new Round(applied.get(), batches.seconds());
    }

    private long send(Scenario scenario) throws Exception {
        StringBuilder lines = new StringBuilder(LINES * 90);
        for (int i = 0; i < LINES; i++) {
            long operation = NEXT_OPERATION.incrementAndGet();
            lines.append("{\"account\":\"").append(scenario.account(operation)).append("\",\"operationId\":\"op-");
            lines.append(operation).append("\",\"delta\":1}\n");
        }
        HttpURLConnection connection =
                (HttpURLConnection) URI.create("http://127.0.0.1:" + ledger.port() + "/v1/operations")
                        .toURL()
                        .openConnection();
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Authorization", "Bearer " + RunningLedger.KEY);
        connection.setRequestProperty("Content-Type", "application/x-ndjson");
        connection.getOutputStream().write(lines.toString().getBytes(StandardCharsets.US_ASCII));
        try (InputStream answers = connection.getInputStream()) {
            return occurrences(answers.readAllBytes());
        }
    }

    private static long occurrences(byte[] answers) {
        long count = 0;
        for (int i = 0; i + APPLIED.length <= answers.length; i++) {
            int matched = 0;
            while (matched < APPLIED.length && answers[i + matched] == APPLIED[matched]) {
                matched++;
            }
            count += matched == APPLIED.length ? 1 : 0;
        }
        return count;
    }

    @Override
    public long stored() {
        return ledger.stored();
    }

    @Override
    public void close() {}
}
