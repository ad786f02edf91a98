package dev.ledger.app.testing;

import dev.ledger.app.store.Database;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.springframework.util.FileSystemUtils;

/**
 * An empty database of its own: a file of H2, or a database in the one PostgreSQL server of this JVM. It outlives the
 * ledgers that run on it, and is gone after {@link #close}.
 */
public final class TestDatabase implements AutoCloseable {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Database kind;
    private final Path folder;
    private final String url;
    private final String username;
    private final boolean dropped;

    private TestDatabase(Database kind, Path folder, String url, String username) {
        this(kind, folder, url, username, true);
    }

    private TestDatabase(Database kind, Path folder, String url, String username, boolean dropped) {
        this.dropped = dropped;
        this.kind = kind;
        this.folder = folder;
        this.url = url;
        this.username = username;
    }

    public static TestDatabase create(Database kind) {
        Path folder = newFolder();
        return switch (kind) {
            // As in application.yaml, in another place.
            case H2 ->
                new TestDatabase(
                        kind,
                        folder,
                        "jdbc:h2:file:" + folder.resolve("ledger")
                                + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;LOCK_TIMEOUT=1000",
                        "");
            case POSTGRESQL -> {
                String name = "ledger_" + NUMBER.incrementAndGet();
                Server.execute("create database " + name);
                yield new TestDatabase(kind, folder, Server.url(name), "postgres");
            }
        };
    }

    /** A PostgreSQL database of another server, or by another way; it stays after {@link #close}. */
    public static TestDatabase at(String url) {
        return new TestDatabase(Database.POSTGRESQL, newFolder(), url, "postgres", false);
    }

    public Database kind() {
        return kind;
    }

    /** Where this database's ledger may leave files. */
    public Path folder() {
        return folder;
    }

    public String url() {
        return url;
    }

    /** What an operator would give on the command line. */
    public List<String> arguments() {
        return List.of(
                "--spring.datasource.url=" + url,
                "--spring.datasource.username=" + username,
                "--spring.datasource.password=");
    }

    /** A connection past the ledger's pool, in auto-commit mode. H2 gives none while another process has the file. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, username, "");
    }

    /** Lays the schema out as a version of the ledger did that knew migrations up to this one. */
    public void migrateTo(int version) {
        Flyway.configure()
                .dataSource(url, username, "")
                .locations("classpath:db/migration/" + kind.name().toLowerCase(Locale.ROOT))
                .target(Integer.toString(version))
                .load()
                .migrate();
    }

    @Override
    public void close() {
        if (kind == Database.POSTGRESQL && dropped) {
            Server.execute("drop database " + url.substring(url.lastIndexOf('/') + 1) + " with (force)");
        }
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory("ledger-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One server for each JVM, started when the first test asks for it and stopped when the JVM ends. */
    private static final class Server {

        private static final EmbeddedPostgres POSTGRES = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "off")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static String url(String name) {
            return "jdbc:postgresql://localhost:" + POSTGRES.getPort() + "/" + name;
        }

        static void execute(String sql) {
            try (Connection connection = POSTGRES.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
