package dev.ledger.app.start;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.store.Database;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.app.testing.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.h2.tools.Shell;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A start that fails says in a few lines what, where and what to do. */
@ExtendWith(OutputCaptureExtension.class)
class FailedStartIT {

    private static final int LINES = 5;

    /** @return what the console shows from the failure on */
    private static String failedStart(CapturedOutput output, TestDatabase database, String... properties) {
        int before = output.getAll().length();
        assertThatThrownBy(() -> RunningLedger.start(database, properties));
        String all = output.getAll().substring(before);
        assertThat(all.split("The ledger did not start", -1)).as(all).hasSize(2);
        assertThat(all).doesNotContain("\tat ").doesNotContain("APPLICATION FAILED TO START");
        assertThat(all.substring(all.indexOf("The ledger did not start"))
                        .strip()
                        .lines())
                .as(all)
                .hasSizeLessThanOrEqualTo(LINES);
        assertThat(all).contains("What to do: ");
        return all;
    }

    @Test
    void aFileThatAnotherProcessHasOpen(CapturedOutput output) throws IOException {
        try (TestDatabase database = TestDatabase.create(Database.H2)) {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            String h2 = Path.of(URI.create(Shell.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toString()))
                    .toString();
            Process other = new ProcessBuilder(
                            java,
                            "-cp",
                            h2,
                            Shell.class.getName(),
                            "-url",
                            database.url(),
                            "-user",
                            "",
                            "-password",
                            "")
                    .redirectErrorStream(true)
                    .start();
            try {
                other.getOutputStream().write("select 'it is open';\n".getBytes(UTF_8));
                other.getOutputStream().flush();
                assertThat(other.inputReader().lines().anyMatch(line -> line.contains("it is open")))
                        .isTrue();

                assertThat(failedStart(output, database))
                        .contains("in use by another process")
                        .contains("Where: jdbc:h2:file:" + database.folder().resolve("ledger") + " (")
                        .doesNotContain("WRITE_DELAY");
            } finally {
                other.destroyForcibly();
            }
        }
    }

    @Test
    void aServerThatNeverComes(CapturedOutput output) {
        try (TestDatabase database = TestDatabase.create(Database.H2)) {
            assertThat(failedStart(
                            output,
                            database,
                            "spring.datasource.url=jdbc:postgresql://localhost:1/ledger?password=in-the-url",
                            "ledger.start.wait-for-database=1s"))
                    .contains("cannot be reached")
                    .contains("Where: jdbc:postgresql://localhost:1/ledger (")
                    .doesNotContain("in-the-url");
        }
    }

    @Test
    void aDatabaseThatDoesNotExistIsNotWaitedFor(CapturedOutput output) {
        try (TestDatabase database = TestDatabase.create(Database.POSTGRESQL)) {
            assertThat(failedStart(
                            output,
                            database,
                            "spring.datasource.url=" + database.url() + "_other",
                            "ledger.start.wait-for-database=1h"))
                    .contains("does not exist on its server")
                    .contains(database.url() + "_other");
        }
    }

    @Test
    void aWrongPasswordIsNotWaitedFor(CapturedOutput output) throws SQLException, IOException {
        try (TestDatabase database = TestDatabase.create(Database.POSTGRESQL)) {
            letPasswordsBeAskedFor(database);

            assertThat(failedStart(
                            output,
                            database,
                            "spring.datasource.username=guarded",
                            "spring.datasource.password=guessed-in-vain",
                            "ledger.start.wait-for-database=1h"))
                    .contains("does not take this user and password")
                    .contains("Where: " + database.url() + " (")
                    .doesNotContain("guessed-in-vain");
        }
    }

    /** The tests' server trusts everybody but this one user. */
    private static void letPasswordsBeAskedFor(TestDatabase database) throws SQLException, IOException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create role guarded login password 'the right one'");
            try (ResultSet row = statement.executeQuery("show hba_file")) {
                row.next();
                Path rules = Path.of(row.getString(1));
                Files.writeString(rules, "host all guarded all scram-sha-256\n" + Files.readString(rules));
            }
            statement.execute("select pg_reload_conf()");
        }
        await().ignoreExceptions().until(() -> {
            try (Connection still = DriverManager.getConnection(database.url(), "guarded", "wrong")) {
                return false;
            } catch (SQLException e) {
                return "28P01".equals(e.getSQLState());
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void aSchemaThatIsNewerThanTheProgram(Database kind, CapturedOutput output) throws SQLException {
        try (TestDatabase database = TestDatabase.create(kind)) {
            RunningLedger.start(database).close();
            update(
                    database,
                    "insert into \"flyway_schema_history\" (\"installed_rank\", \"version\", \"description\", \"type\","
                            + " \"script\", \"installed_by\", \"execution_time\", \"success\")"
                            + " values (999, '999', 'later', 'SQL', 'V999__later.sql', 'x', 1, true)");

            assertThat(failedStart(output, database))
                    .contains("schema is newer than this program")
                    .contains("Where: migration 999 in flyway_schema_history");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void aSchemaThatSomebodyHasChanged(Database kind, CapturedOutput output) throws SQLException {
        try (TestDatabase database = TestDatabase.create(kind)) {
            RunningLedger.start(database).close();
            update(database, "alter table account_balance drop column updated_at");

            assertThat(failedStart(output, database)).contains("missing column [updated_at]");
        }
    }

    private static void update(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A file stands where the folder should be: that stops even root. */
    @Test
    void aDataFolderThatCannotBeMade(CapturedOutput output) throws IOException {
        try (TestDatabase database = TestDatabase.create(Database.H2)) {
            Path blocked = Files.createFile(database.folder().resolve("blocked"));

            assertThat(failedStart(output, database, "spring.datasource.url=jdbc:h2:file:" + blocked + "/deep/ledger"))
                    .contains("cannot be written")
                    .contains(blocked.toString());
        }
    }

    /** A key that was stored and never shown would lock everybody out for good. */
    @ParameterizedTest
    @EnumSource(Database.class)
    void aKeyFileThatCannotBeWrittenLeavesNoKeyBehind(Database kind, CapturedOutput output) throws IOException {
        try (TestDatabase database = TestDatabase.create(kind)) {
            Path blocked = Files.createFile(database.folder().resolve("blocked"));
            assertThatThrownBy(() -> RunningLedger.startWithoutKeys(
                    database, "ledger.security.initial-key-file=" + blocked + "/initial-key"));
            assertThat(output.getAll())
                    .contains("cannot be written")
                    .contains(blocked.toString())
                    .doesNotContain("Initial API key");

            try (RunningLedger ledger = RunningLedger.startWithoutKeys(database)) {
                String key = Files.readString(database.folder().resolve("initial-key"))
                        .strip();
                ledger.client(key).get("/v1/accounts").hasStatus(200);
            }
        }
    }

    @Test
    void aPropertyThatIsNotValidIsNamedAndASecretIsNotShown(CapturedOutput output) {
        try (TestDatabase database = TestDatabase.create(Database.H2)) {
            assertThatThrownBy(() -> RunningLedger.start(database, "ledger.http.batch-window=0"));
            assertThat(output.getAll())
                    .contains("The ledger did not start")
                    .contains("Property: ledger.http.batchWindow")
                    .contains("Value: \"0\"")
                    .doesNotContain("\tat ");

            assertThatThrownBy(() -> RunningLedger.start(database, "ledger.security.api-keys[0].key=too-short-a-key"));
            assertThat(output.getAll())
                    .contains("Property: ledger.security.apiKeys[0].key")
                    .doesNotContain("too-short-a-key");

            assertThatThrownBy(() -> RunningLedger.start(database, "ledger.start.wait-for-database=-1s"));
            assertThat(output.getAll()).contains("wait-for-database must not be negative");
        }
    }

    @Test
    void aServerThatComesLateIsWaitedFor(CapturedOutput output) throws IOException {
        try (TestDatabase database = TestDatabase.create(Database.POSTGRESQL);
                LatePort port = new LatePort(
                        URI.create(database.url().substring("jdbc:".length())).getPort())) {
            String url = database.url().replaceFirst("localhost:\\d+", "127.0.0.1:" + port.number());
            CompletableFuture<RunningLedger> start = CompletableFuture.supplyAsync(() -> RunningLedger.start(
                    database,
                    "spring.datasource.url=" + url,
                    "ledger.start.wait-for-database=2m",
                    "logging.level.dev.ledger.app.start=info"));
            await().atMost(Duration.ofMinutes(1)).until(() -> output.getAll().contains("Waiting up to 120 s"));
            assertThat(start).isNotDone();

            port.open();

            try (RunningLedger ledger = start.join()) {
                ledger.client("").get("/actuator/health/readiness").hasStatus(200);
            }
            assertThat(output.getAll().split("Waiting up to", -1))
                    .as("said once")
                    .hasSize(2);
        }
    }

    /** A port that refuses connections until it is opened; from then on they are the database server's. */
    private static final class LatePort implements AutoCloseable {

        private final int number;
        private final int serverPort;
        private ServerSocket listener;

        LatePort(int serverPort) throws IOException {
            this.serverPort = serverPort;
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
                this.number = free.getLocalPort();
            }
        }

        int number() {
            return number;
        }

        void open() throws IOException {
            listener = new ServerSocket(number, 50, InetAddress.getByName("127.0.0.1"));
            daemon(() -> {
                while (true) {
                    Socket client = listener.accept();
                    Socket server = new Socket("localhost", serverPort);
                    daemon(() -> pump(client, server));
                    daemon(() -> pump(server, client));
                }
            });
        }

        private static void pump(Socket from, Socket to) throws IOException {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            }
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void daemon(Work work) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            work.run();
                        } catch (IOException closed) {
                            // One side has ended.
                        }
                    },
                    "late-port");
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            if (listener != null) {
                listener.close();
            }
        }
    }
}
