package dev.ledger.benchmarks;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * From the command to the first 200 of the readiness check, on H2, on a folder that a ledger has started in before. The ways
 * to start take turns; a first turn of each is not counted.
 */
final class StartBenchmark {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long LOOK_AGAIN_MILLIS = 5;
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final Path jar;
    private final int rounds;
    private final Path folder;
    private final HttpClient http = HttpClient.newHttpClient();

    StartBenchmark(Path jar, int rounds) throws IOException {
        this.jar = jar.toAbsolutePath();
        this.rounds = rounds;
        this.folder = Files.createTempDirectory("ledger-starts");
    }

    void run() throws IOException, InterruptedException {
        Path extracted = folder.resolve("extracted");
        Path archive = folder.resolve("ledger.jsa");
        await(process(List.of("-Djarmode=tools", "-jar", jar.toString(), "extract", "--destination", extracted + "")));
        String thin = extracted.resolve(jar.getFileName()).toString();
        await(process(List.of(
                "-XX:ArchiveClassesAtExit=" + archive,
                "-Dspring.context.exit=onRefresh",
                "-jar",
                thin,
                "--spring.datasource.url=jdbc:h2:mem:training",
                "--ledger.security.initial-key-file=" + folder.resolve("training-key"))));

        Map<String, List<String>> ways = new LinkedHashMap<>();
        ways.put("`java -jar ledger-app.jar`", List.of("-jar", jar.toString()));
        ways.put("extracted", List.of("-jar", thin));
        ways.put("extracted, class data archive", List.of("-XX:SharedArchiveFile=" + archive, "-jar", thin));
        ways.put(
                "the same, `-XX:TieredStopAtLevel=1`",
                List.of("-XX:SharedArchiveFile=" + archive, "-XX:TieredStopAtLevel=1", "-jar", thin));
        Map<String, List<Double>> seconds = new LinkedHashMap<>();
        for (int round = 0; round <= rounds; round++) {
            for (Map.Entry<String, List<String>> way : ways.entrySet()) {
                double taken = start(way.getKey(), way.getValue());
                if (round > 0) {
                    seconds.computeIfAbsent(way.getKey(), name -> new ArrayList<>())
                            .add(taken);
                }
            }
        }
        print(seconds);
    }

    private static void print(Map<String, List<Double>> seconds) {
        System.out.printf(
                "%n| Java %s, %d processors | ready after, median | min to max | of the first |%n|---|---:|---:|---:|%n",
                Runtime.version(), Runtime.getRuntime().availableProcessors());
        double first = median(seconds.values().iterator().next());
        seconds.forEach((way, values) -> System.out.printf(
                Locale.ROOT,
                "| %s | %.2f s | %.2f to %.2f s | %.2f |%n",
                way,
                median(values),
                values.stream().mapToDouble(value -> value).min().orElseThrow(),
                values.stream().mapToDouble(value -> value).max().orElseThrow(),
                median(values) / first));
    }

    private static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Starts, waits until it is ready, and stops. */
    private double start(String way, List<String> arguments) throws IOException, InterruptedException {
        int port = freePort();
        List<String> command = new ArrayList<>(arguments);
        command.add("--server.port=" + port);
        HttpRequest ready = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port + "/actuator/health/readiness"))
                .timeout(PATIENCE)
                .build();
        long begun = System.nanoTime();
        Process ledger = process(command);
        while (!isReady(ready)) {
            if (!ledger.isAlive() || System.nanoTime() - begun > PATIENCE.toNanos()) {
                ledger.destroyForcibly();
                throw new IllegalStateException(way + " did not start");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.printf(Locale.ROOT, "%s: %.2f s%n", way, seconds);
        ledger.destroy();
        ledger.waitFor();
        return seconds;
    }

    private boolean isReady(HttpRequest request) throws InterruptedException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    private Process process(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void await(Process process) throws InterruptedException {
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the jar could not be extracted, or no archive be made");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
