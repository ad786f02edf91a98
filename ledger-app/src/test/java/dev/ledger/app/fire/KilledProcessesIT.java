package dev.ledger.app.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.store.Database;
import dev.ledger.app.testing.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, killed at random moments under load, and started again (K26). */
class KilledProcessesIT {

    private static final int KILLS = Scale.rounds(30);
    private static final int RESTARTS = Scale.rounds(10);
    private static final int CALLERS = 4;

    @TempDir
    static Path folder;

    @BeforeAll
    static void makeArchive() {
        try (TestDatabase database = TestDatabase.create(Database.H2)) {
            new LedgerProcess("archive", folder, database).makeArchive();
        }
    }

    /** While one of them starts again, the other one serves. */
    @Test
    void twoProcessesOnOnePostgresqlKilledManyTimesLoseAndDoubleNothing() throws Exception {
        try (TestDatabase database = TestDatabase.create(Database.POSTGRESQL)) {
            List<LedgerProcess> processes = List.of(
                    new LedgerProcess("first", folder, database), new LedgerProcess("second", folder, database));
            processes.get(0).start();
            processes.get(0).awaitReady();
            processes.get(1).start();
            try (Load load = new Load(
                    CALLERS,
                    () -> processes.get(ThreadLocalRandom.current().nextInt(2)).client())) {
                for (int kill = 0; kill < KILLS; kill++) {
                    LedgerProcess victim = processes.get(kill % 2);
                    processes.get((kill + 1) % 2).awaitReady();
                    awaitOperations(load, ThreadLocalRandom.current().nextInt(1, 60));
                    victim.kill();
                    victim.start();
                }
                processes.get((KILLS + 1) % 2).awaitReady();
                load.finish();

                Journal journal = Journal.read(database);
                load.isIn(journal);
                for (LedgerProcess process : processes) {
                    process.awaitReady();
                    load.isAnsweredAgainBy(process.client());
                    load.isShownBy(process.client(), journal);
                    // Losing a race for an operation or a step is no fault; a generated key twice would be one.
                    assertThat(process.log()).doesNotContain("domain_event_pkey");
                }
                assertThat(Journal.read(database).byOperation()).hasSameSizeAs(journal.byOperation());
            } finally {
                processes.forEach(LedgerProcess::kill);
            }
        }
    }

    /** By turns killed and stopped in good order. */
    @Test
    void aProcessOnAnH2FileKilledAndStoppedTenTimesKeepsEveryAcknowledgedOperation() throws Exception {
        try (TestDatabase database = TestDatabase.create(Database.H2)) {
            LedgerProcess process = new LedgerProcess("h2", folder, database);
            process.start();
            process.awaitReady();
            try (Load load = new Load(CALLERS, process::client)) {
                for (int restart = 0; restart < RESTARTS; restart++) {
                    awaitOperations(load, ThreadLocalRandom.current().nextInt(1, 60));
                    if (restart % 2 == 0) {
                        process.kill();
                    } else {
                        process.stop();
                    }
                    process.start();
                    process.awaitReady();
                }
                load.finish();
                process.kill();

                Journal journal = Journal.read(database);
                load.isIn(journal);
                process.start();
                process.awaitReady();
                load.isAnsweredAgainBy(process.client());
                load.isShownBy(process.client(), journal);
                assertThat(process.log()).doesNotContainIgnoringCase("domain_event_pkey");
            } finally {
                process.kill();
            }
        }
    }

    private static void awaitOperations(Load load, int more) {
        int until = load.decided() + more;
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> load.decided() >= until);
    }
}
