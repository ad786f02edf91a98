package dev.ledger.app.fire;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.LedgerApplication;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * The application in a process of its own, to be killed. It starts from jars and a class data archive, which makes a start
 * some three times faster: that is what allows many of them in a build.
 */
final class LedgerProcess {

    private static final Duration START = Duration.ofSeconds(90);
    private static final int STOP_SECONDS = 40;

    private final List<String> arguments;
    private final Path folder;
    private final Path log;
    private final int port;
    private Process process;

    /**
     * @param folder shared by the processes of a test: jars, archive and logs
     * @param properties as {@code name=value}
     */
    LedgerProcess(String name, Path folder, TestDatabase database, String... properties) {
        this.folder = folder;
        this.log = folder.resolve(name + ".log");
        this.port = freePort();
        this.arguments = new ArrayList<>(database.arguments());
        arguments.add("--server.port=" + port);
        arguments.add("--logging.level.root=warn");
        arguments.add("--logging.level.org.flywaydb=error");
        arguments.addAll(Key.arguments());
        for (String property : properties) {
            arguments.add("--" + property);
        }
    }

    /** One start and one orderly stop that leave the archive for all later starts. */
    void makeArchive() {
        launch("-XX:ArchiveClassesAtExit=" + archive());
        awaitReady();
        stop();
    }

    /** Returns at once; see {@link #awaitReady}. */
    void start() {
        launch("-XX:SharedArchiveFile=" + archive());
    }

    void awaitReady() {
        await().atMost(START).pollInterval(Duration.ofMillis(50)).until(this::isReady);
    }

    boolean isReady() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the ledger has ended: " + log());
        }
        try {
            return client().get("/actuator/health/readiness").status() == 200;
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    LedgerClient client() {
        return new LedgerClient(URI.create("http://localhost:" + port), Key.ALPHA.secret());
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM. */
    void stop() {
        process.destroy();
        awaitEnd();
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path archive() {
        return folder.resolve("classes.jsa");
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(STOP_SECONDS, SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void launch(String archiveOption) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Xlog:disable",
                archiveOption,
                "-cp",
                classPath(),
                LedgerApplication.class.getName()));
        command.addAll(arguments);
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Folders of classes become jars: a class data archive takes nothing else. */
    private String classPath() {
        List<String> jars = new ArrayList<>();
        int number = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (!Files.isDirectory(path)) {
                jars.add(entry);
            } else if (!path.endsWith("test-classes")) {
                jars.add(jar(path, folder.resolve("classes-" + number++ + ".jar"))
                        .toString());
            }
        }
        return String.join(File.pathSeparator, jars);
    }

    private static Path jar(Path classes, Path jar) {
        if (Files.exists(jar)) {
            return jar;
        }
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> files = Files.walk(classes)) {
            // Folders too: the application looks for its components in them.
            for (Path path : (Iterable<Path>) files.filter(found -> !found.equals(classes))::iterator) {
                String name = classes.relativize(path).toString().replace(File.separatorChar, '/');
                out.putNextEntry(new JarEntry(Files.isDirectory(path) ? name + '/' : name));
                if (Files.isRegularFile(path)) {
                    Files.copy(path, out);
                }
                out.closeEntry();
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
