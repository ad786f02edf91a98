package dev.ledger.app.start;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.json.JsonMapper;

/** Follows the Dockerfile without an engine: what it copies and calls is there, and what comes of it runs. */
class DockerfileIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    private String dockerfile;

    @BeforeEach
    void read() throws IOException {
        dockerfile = Files.readString(ROOT.resolve("Dockerfile")).replace("\\\n", " ");
    }

    /** Group 1 of each match. */
    private List<String> all(String pattern) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(dockerfile)
                .results()
                .map(result -> result.group(1))
                .toList();
    }

    private String only(String pattern) {
        assertThat(all(pattern)).as(pattern).hasSize(1);
        return all(pattern).get(0);
    }

    private static List<String> json(String array) {
        List<String> words = new ArrayList<>();
        new JsonMapper().readTree(array).forEach(word -> words.add(word.asString()));
        return words;
    }

    private Process run(Path directory, List<String> command, int port) throws IOException {
        List<String> here = new ArrayList<>(command);
        assertThat(here.get(0)).isEqualTo("java");
        here.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ProcessBuilder builder =
                new ProcessBuilder(here).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().put("SERVER_PORT", Integer.toString(port));
        return builder.redirectOutput(folder.resolve("log").toFile()).start();
    }

    private int result(Path directory, List<String> command, int port) throws IOException, InterruptedException {
        Process process = run(directory, command, port);
        assertThat(process.waitFor(PATIENCE.toSeconds(), SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void everyLayerIsCopiedInItsOrderAndWhatComesOfItRuns() throws Exception {
        MatchResult jar = Pattern.compile("^COPY (\\S+) (\\S+)$", Pattern.MULTILINE)
                .matcher(dockerfile)
                .results()
                .findFirst()
                .orElseThrow();
        assertThat(Files.readString(ROOT.resolve(".dockerignore"))).isEqualTo("*\n!" + jar.group(1) + "\n");
        Path build = Files.createDirectory(folder.resolve("build"));
        Files.copy(ROOT.resolve(jar.group(1)), build.resolve(jar.group(2)));
        List<String> commands = all("^RUN (java .*)$");
        assertThat(commands)
                .as("one that extracts, and one that makes the archive")
                .hasSize(2);
        assertThat(result(build, List.of(commands.get(0).split(" ")), 0))
                .as(text())
                .isZero();

        assertThat(result(build, List.of("java", "-Djarmode=tools", "-jar", jar.group(2), "list-layers"), 0))
                .isZero();
        List<String> layers = text().lines().toList();
        assertThat(all("^COPY --from=layers /build/extracted/(\\S+)/ \\./$"))
                .as("a layer that is not copied is missing in the image")
                .isEqualTo(layers)
                .contains("application");
        assertThat(all("^COPY --from=(.*)$")).hasSameSizeAs(layers);
        Path image = Files.createDirectory(folder.resolve("ledger"));
        for (String layer : layers) {
            FileSystemUtils.copyRecursively(build.resolve("extracted").resolve(layer), image);
        }

        String training = commands.get(1).replace("/tmp/", folder + "/");
        assertThat(result(image, List.of(training.split(" ")), 0)).as(text()).isZero();
        assertThat(image.resolve("data")).as("nothing of it is left").doesNotExist();

        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        List<String> healthCheck = json(only("^HEALTHCHECK .* CMD (\\[.*\\])$"));
        assertThat(result(image, healthCheck, port)).as("nobody is there yet").isEqualTo(1);
        List<String> entryPoint = json(only("^ENTRYPOINT (\\[.*\\])$"));
        Path classes = folder.resolve("classes");
        entryPoint.add(1, "-Xlog:class+load:file=" + classes);
        Process ledger = run(image, entryPoint, port);
        try {
            Path log = folder.resolve("log");
            await().atMost(PATIENCE).until(() -> Files.readString(log).contains("Ready"));
            assertThat(result(image, healthCheck, port)).isZero();
            assertThat(Files.readAllLines(classes))
                    .anyMatch(line -> line.contains("dev.ledger.app.LedgerApplication source: shared objects file"));
        } finally {
            ledger.destroyForcibly().onExit().join();
        }
        assertThat(all("^VOLUME /ledger/(\\S+)$")).containsExactly("data");
        assertThat(image.resolve("data/initial-key")).exists();
        assertThat(only("^USER (\\S+)$")).as("not root").matches("[1-9]\\d+");
    }

    private String text() throws IOException {
        return Files.readString(folder.resolve("log"));
    }
}
