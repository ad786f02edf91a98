package dev.ledger.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.store.Database;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.app.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the ledger keeps in files is its owner's business. */
class DataFolderIT {

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void allow(Path path, String rights) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
    }

    private static String url(Path folder) {
        return "spring.datasource.url=jdbc:h2:file:" + folder.resolve("ledger")
                + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0";
    }

    @Test
    void foldersThatTheLedgerMakesAndEveryFileInThemAreTheOwnersAlone() throws IOException {
        try (TestDatabase database = TestDatabase.create(Database.H2)) {
            Path outer = database.folder().resolve("outer");
            Path data = outer.resolve("data");
            try (RunningLedger ledger = RunningLedger.startWithoutKeys(
                    database, url(data), "ledger.security.initial-key-file=" + data.resolve("initial-key"))) {
                ledger.jdbc().queryForList("select * from domain_event");

                assertThat(rights(outer)).isEqualTo("rwx------");
                assertThat(rights(data)).isEqualTo("rwx------");
                assertOwnerOnly(data, "initial-key", "ledger.mv.db");
            }
            assertOwnerOnly(data, "initial-key", "ledger.mv.db");
        }
    }

    private static void assertOwnerOnly(Path folder, String... names) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found = files.sorted().toList();
            assertThat(found).extracting(file -> file.getFileName().toString()).containsExactly(names);
            for (Path file : found) {
                assertThat(rights(file)).as(file.toString()).isEqualTo("rw-------");
            }
        }
    }

    /** The key alone makes it when the database is elsewhere. */
    @Test
    void theFolderOfTheKeyIsTheOwnersAlone() throws IOException {
        try (TestDatabase database = TestDatabase.create(Database.POSTGRESQL)) {
            Path data = database.folder().resolve("data");
            RunningLedger.startWithoutKeys(database, "ledger.security.initial-key-file=" + data.resolve("initial-key"))
                    .close();

            assertThat(rights(data)).isEqualTo("rwx------");
            assertOwnerOnly(data, "initial-key");
        }
    }

    /** Whoever made a folder may have let a group in on purpose; an old database file was nobody's purpose. */
    @Test
    void aFolderThatExistsKeepsItsRightsAndAFileThatEverybodyCouldReadLosesThem() throws IOException {
        try (TestDatabase database = TestDatabase.create(Database.H2)) {
            Path data = Files.createDirectory(database.folder().resolve("theirs"));
            allow(data, "rwxr-xr-x");
            try (RunningLedger ledger = RunningLedger.start(database, url(data))) {
                ledger.client(Key.ALPHA).apply("kept", "kept-1", 1).hasStatus(201);
            }
            allow(data.resolve("ledger.mv.db"), "rw-r--r--");

            try (RunningLedger ledger = RunningLedger.start(database, url(data))) {
                ledger.client(Key.ALPHA).receipt("kept", "kept-1").hasStatus(200);
                assertThat(rights(data)).isEqualTo("rwxr-xr-x");
                assertThat(rights(data.resolve("ledger.mv.db"))).isEqualTo("rw-------");
            }
        }
    }

    @Test
    void aFolderBehindALinkIsTakenAsItIs() throws IOException {
        try (TestDatabase database = TestDatabase.create(Database.H2)) {
            Path real = Files.createDirectory(database.folder().resolve("real"));
            allow(real, "rwxr-x---");
            Path link = Files.createSymbolicLink(database.folder().resolve("link"), real);
            try (RunningLedger ledger = RunningLedger.start(database, url(link))) {
                ledger.client(Key.ALPHA).apply("linked", "linked-1", 1).hasStatus(201);
            }

            assertThat(rights(real)).isEqualTo("rwxr-x---");
            assertThat(rights(real.resolve("ledger.mv.db"))).isEqualTo("rw-------");
        }
    }
}
