package dev.ledger.app.start;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.LedgerClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The first minute with what an operator deploys: the packaged jar, in a folder of its own, with nothing configured. */
class PackagedJarIT {

    static final Path JAR = Path.of("target", "ledger-app.jar").toAbsolutePath();

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final List<Process> processes = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void end() {
        processes.forEach(process -> process.destroyForcibly().onExit().join());
    }

    private Process run(Path log, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-jar",
                JAR.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        processes.add(process);
        return process;
    }

    private static int exit(Process process) throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), SECONDS)).isTrue();
        return process.exitValue();
    }

    private static void awaitReady(Process process, int port, Path log) {
        LedgerClient nobody = new LedgerClient(URI.create("http://localhost:" + port), "");
        await().atMost(PATIENCE).until(() -> {
            assertThat(process.isAlive()).as(text(log)).isTrue();
            try {
                return nobody.get("/actuator/health/readiness").status() == 200;
            } catch (UncheckedIOException notYet) {
                return false;
            }
        });
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void theVersionAndTheHelpLeaveNothingBehind() throws Exception {
        Path log = folder.resolve("log");
        assertThat(exit(run(log, "--version"))).isZero();
        assertThat(text(log)).startsWith("Ledger ").contains(", built ", ", Java ");
        assertThat(text(log).lines()).hasSize(1);

        assertThat(exit(run(log, "--help"))).isZero();
        assertThat(text(log)).startsWith("Usage: java -jar");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void theConsoleShowsWhatAPersonNeedsAndASecondLedgerInTheFolderSaysWhyItCannotStart() throws Exception {
        Path log = folder.resolve("log");
        int port = freePort();
        Process ledger = run(log, "--server.port=" + port);
        awaitReady(ledger, port, log);
        await().atMost(PATIENCE).until(() -> text(log).contains("stop "));

        String key = Files.readString(folder.resolve("data/initial-key")).strip();
        assertThat(text(log))
                .contains("Ledger 0.")
                .contains("database jdbc:h2:file:./data/ledger\n")
                .contains("address  http://localhost:" + port)
                .contains("key      in data/initial-key")
                .contains("kill " + ledger.pid());
        assertThat(text(log).split(key, -1)).as("the key, once").hasSize(2);
        assertThat(text(log).lines()).as(text(log)).hasSizeLessThanOrEqualTo(8);

        Path second = folder.resolve("second");
        assertThat(exit(run(second, "--server.port=" + freePort()))).isEqualTo(1);
        String failure = text(second).substring(text(second).indexOf("The ledger did not start"));
        assertThat(failure.lines()).as(failure).hasSizeLessThanOrEqualTo(5);
        assertThat(failure).contains("in use by another process");

        ledger.destroy();
        assertThat(exit(ledger)).isEqualTo(143);
        assertThat(text(log).lines()).as(text(log)).hasSizeLessThanOrEqualTo(8);
    }

    @Test
    void asJsonEachLineIsARecordAndTheKeyIsInNone() throws Exception {
        Path log = folder.resolve("log");
        int port = freePort();
        Process ledger = run(log, "--server.port=" + port, "--logging.structured.format.console=ecs");
        awaitReady(ledger, port, log);
        await().atMost(PATIENCE).until(() -> text(log).contains("stop "));
        ledger.destroy();
        exit(ledger);

        List<JsonNode> records = text(log)
                .lines()
                .map(line -> (JsonNode) new JsonMapper().readTree(line))
                .toList();
        assertThat(records).allMatch(line -> line.has("@timestamp") && line.has("message"));
        assertThat(records)
                .extracting(line -> line.path("message").asString())
                .anyMatch(message -> message.startsWith("Ledger "))
                .anyMatch(message -> message.startsWith("Ready"))
                .anyMatch(message -> message.contains("initial API key") && message.contains("data/initial-key"));
        assertThat(text(log))
                .doesNotContain(
                        Files.readString(folder.resolve("data/initial-key")).strip());

        Process failing = run(
                log,
                "--logging.structured.format.console=ecs",
                "--spring.datasource.url=jdbc:postgresql://localhost:1/ledger",
                "--ledger.start.wait-for-database=0s");
        assertThat(exit(failing)).isEqualTo(1);
        assertThat(text(log).lines().map(line -> (JsonNode) new JsonMapper().readTree(line)))
                .anyMatch(line -> line.path("message").asString().startsWith("The ledger did not start"));
    }

    /** Nobody waits for a ledger that waits. */
    @Test
    void aSignalEndsALedgerThatWaitsForItsDatabase() throws Exception {
        Path log = folder.resolve("log");
        Process waiting = run(
                log,
                "--spring.datasource.url=jdbc:postgresql://localhost:1/ledger",
                "--ledger.start.wait-for-database=1h");
        await().atMost(PATIENCE).until(() -> text(log).contains("Waiting up to"));

        waiting.destroy();

        assertThat(exit(waiting)).isNotZero();
        assertThat(text(log)).doesNotContain("\tat ");
    }
}
