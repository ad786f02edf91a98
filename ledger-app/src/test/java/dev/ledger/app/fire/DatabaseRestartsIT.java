package dev.ledger.app.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.app.testing.TestDatabase;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL goes away under the ledger, under load: its connections, and the whole server in immediate mode. */
class DatabaseRestartsIT {

    private static final int TERMINATIONS = Scale.rounds(20);
    private static final int RESTARTS = Scale.rounds(5);
    private static final int CALLERS = 16;

    @TempDir
    Path folder;

    @Test
    void terminatedConnectionsAndImmediateRestartsLoseAndDoubleNothing() throws Exception {
        EmbeddedPostgres server = start(0);
        int port = server.getPort();
        try (TestDatabase database = TestDatabase.at("jdbc:postgresql://localhost:" + port + "/postgres");
                RunningLedger ledger = RunningLedger.start(
                        database,
                        "ledger.commit.recovery-timeout=2s",
                        "spring.datasource.hikari.connection-timeout=1000");
                Load load = new Load(CALLERS, () -> ledger.client(Key.ALPHA))) {
            for (int i = 0; i < TERMINATIONS; i++) {
                awaitOperations(load, ThreadLocalRandom.current().nextInt(1, 200));
                terminateConnections(database);
            }
            for (int i = 0; i < RESTARTS; i++) {
                awaitOperations(load, ThreadLocalRandom.current().nextInt(1, 500));
                stopImmediately(server);
                server = start(port);
            }
            awaitOperations(load, 100);
            load.finish();

            Journal journal = Journal.read(database);
            load.isIn(journal);
            load.isAnsweredAgainBy(ledger.client(Key.ALPHA));
            load.isShownBy(ledger.client(Key.ALPHA), journal);
        } finally {
            server.close();
        }
    }

    private EmbeddedPostgres start(int port) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                // This builder turns it off, and a crash would then lose what was committed.
                .setServerConfig("synchronous_commit", "on")
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false);
        if (port != 0) {
            builder.setPort(port);
        }
        return builder.start();
    }

    /** SIGQUIT to its first process: what {@code pg_ctl stop -m immediate} does. */
    private void stopImmediately(EmbeddedPostgres server) throws Exception {
        long pid = Long.parseLong(
                Files.readAllLines(folder.resolve("data/postmaster.pid")).get(0).strip());
        assertThat(new ProcessBuilder("kill", "-QUIT", String.valueOf(pid))
                        .start()
                        .waitFor())
                .isZero();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false), alive -> !alive);
        server.close();
    }

    private static void terminateConnections(TestDatabase database) throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where application_name = 'ledger' and pid <> pg_backend_pid()");
        }
    }

    private static void awaitOperations(Load load, int more) {
        int until = load.decided() + more;
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> load.decided() >= until);
    }
}
