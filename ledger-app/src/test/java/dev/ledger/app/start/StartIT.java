package dev.ledger.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ledger.app.store.Database;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.app.testing.TestDatabase;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What an operator sees of a start (contract, Start). */
@ExtendWith(OutputCaptureExtension.class)
class StartIT {

    @ParameterizedTest
    @EnumSource(Database.class)
    void theFirstStartWithoutKeysMakesOneAndShowsItOnce(Database kind, CapturedOutput output)
            throws IOException, GeneralSecurityException {
        try (TestDatabase database = TestDatabase.create(kind)) {
            Path file = database.folder().resolve("initial-key");
            String key;
            try (RunningLedger ledger = RunningLedger.startWithoutKeys(database)) {
                key = Files.readString(file).strip();
                assertThat(output.getOut().split(key, -1)).as("printed once").hasSize(2);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
                assertThat(key).hasSizeGreaterThanOrEqualTo(32);
                Map<String, Object> stored = ledger.jdbc().queryForMap("select * from api_key");
                assertThat(stored).containsEntry("TENANT", "default");
                assertThat((byte[]) stored.get("HASH"))
                        .isEqualTo(MessageDigest.getInstance("SHA-256").digest(key.getBytes()));
                assertThat(stored.values()).doesNotContain(key);
                ledger.client(key).apply("first", "first-1", 1).hasStatus(201);
                ledger.client(key).get("/v1/accounts/first?atLeast=1").hasStatus(200);
                ledger.client(Key.ALPHA).get("/v1/accounts").isProblem(401, "unauthenticated");
            }
            Files.delete(file);
            try (RunningLedger again = RunningLedger.startWithoutKeys(database)) {
                assertThat(output.getAll().split(key, -1))
                        .as("not printed again")
                        .hasSize(2);
                assertThat(output.getOut().split("Initial API key", -1)).hasSize(2);
                assertThat(file).doesNotExist();
                again.client(key).receipt("first", "first-1").hasStatus(200);
                assertThat(again.jdbc().queryForObject("select count(*) from api_key", Long.class))
                        .isEqualTo(1);
            }
        }
    }

    /** It was made with all the roles that there were. */
    @ParameterizedTest
    @EnumSource(Database.class)
    void theInitialKeyOfAnEarlierVersionHasTheRolesThatCameSince(Database kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            database.migrateTo(4);
            String key = "made-by-an-earlier-version-0123456789";
            try (var connection = database.connect();
                    var statement = connection.prepareStatement(
                            "insert into api_key (name, tenant, roles, hash, created_at)"
                                    + " values ('initial', 'default', 'WRITER,READER,OPERATOR', ?, current_timestamp)")) {
                statement.setBytes(1, MessageDigest.getInstance("SHA-256").digest(key.getBytes()));
                statement.executeUpdate();
            }

            try (RunningLedger ledger = RunningLedger.startWithoutKeys(database)) {
                ledger.client(key)
                        .send(
                                "POST",
                                "/v1/replays",
                                "{\"handlers\":[\"account-balances\"],\"mode\":\"rebuild\"}".getBytes(),
                                "Content-Type",
                                "application/json")
                        .hasStatus(201);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void configuredKeysNeedNoInitialOne(Database kind, CapturedOutput output) {
        try (TestDatabase database = TestDatabase.create(kind);
                RunningLedger ledger = RunningLedger.start(database)) {
            assertThat(database.folder().resolve("initial-key")).doesNotExist();
            assertThat(output.getAll()).doesNotContain("Initial API key");
            assertThat(ledger.jdbc().queryForObject("select count(*) from api_key", Long.class))
                    .isZero();
        }
    }

    /** Even when everything of the ledger's own is logged, and whatever callers send. */
    @Test
    void noKeyIsEverLogged(CapturedOutput output) {
        try (TestDatabase database = TestDatabase.create(Database.H2);
                RunningLedger ledger = RunningLedger.start(
                        database,
                        "logging.level.root=info",
                        "logging.level.dev.ledger=trace",
                        "logging.level.org.springframework.security=debug",
                        "logging.level.org.springframework.web=debug")) {
            String almost = Key.ALPHA.secret() + "-mistyped";
            ledger.client(Key.ALPHA).apply("logged", "logged-1", 1).hasStatus(201);
            ledger.client(Key.ALPHA).put("logged", "logged-2", "{\"delta\":").hasStatus(400);
            ledger.client(Key.ALPHA)
                    .put("logged", "logged-1", "{\"delta\":2,\"memo\":\"memo-of-a-caller\"}")
                    .hasStatus(409);
            ledger.client(Key.ALPHA_READER).apply("logged", "logged-3", 1).hasStatus(403);
            ledger.client(almost).apply("logged", "logged-4", 1).hasStatus(401);
            ledger.client("").sendRaw("GET /%00 HTTP/1.1", List.of("Authorization: Bearer " + almost), new byte[0]);

            assertThat(output.getAll()).contains("Ready").doesNotContain("memo-of-a-caller");
            for (Key key : Key.values()) {
                assertThat(output.getAll()).doesNotContain(key.secret());
            }
        }
    }

    /** K25: payloads are bytes of their row, and nothing is left beside the rows. */
    @Test
    void payloadsOnPostgresAreByteaAndNoLargeObjectExists() {
        try (TestDatabase database = TestDatabase.create(Database.POSTGRESQL);
                RunningLedger ledger = RunningLedger.start(database)) {
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < 2_000; i++) {
                lines.append("{\"account\":\"bytes-")
                        .append(i % 5)
                        .append("\",\"operationId\":\"bytes-")
                        .append(i);
                lines.append("\",\"delta\":1,\"memo\":\"")
                        .append("x".repeat(500))
                        .append("\"}\n");
            }
            ledger.client(Key.ALPHA).batch(lines.toString()).hasStatus(200);
            ledger.client(Key.ALPHA).get("/v1/accounts/bytes-4?atLeast=400").hasStatus(200);

            assertThat(ledger.storedOperations()).isEqualTo(2_000);
            assertThat(ledger.jdbc().queryForObject("select count(*) from pg_largeobject_metadata", Long.class))
                    .isZero();
            assertThat(ledger.jdbc()
                            .queryForList(
                                    "select table_name || '.' || column_name from information_schema.columns"
                                            + " where table_schema = 'public' and data_type = 'oid'",
                                    String.class))
                    .isEmpty();
            assertThat(ledger.jdbc()
                            .queryForList(
                                    "select table_name || '.' || column_name from information_schema.columns"
                                            + " where table_schema = 'public' and data_type = 'bytea'",
                                    String.class))
                    .contains("domain_event.payload", "domain_event.metadata", "token_entry.token");
        }
    }

    /** Everything that Java opens by name, plain sockets included, asks the proxy selector first. */
    @ParameterizedTest
    @EnumSource(Database.class)
    void nothingButTheDatabaseIsCalledAtStart(Database kind) {
        Recorder called = new Recorder(ProxySelector.getDefault());
        try (TestDatabase database = TestDatabase.create(kind)) {
            ProxySelector.setDefault(called);
            try (RunningLedger ledger = RunningLedger.start(database)) {
                ledger.client(Key.ALPHA).apply("quiet", "quiet-1", 1).hasStatus(201);
                ledger.client(Key.ALPHA).get("/v1/accounts/quiet?atLeast=1").hasStatus(200);
                assertThat(called.uris).allMatch(uri -> "localhost".equals(uri.getHost()));
                assertThat(ledger.beanNames())
                        .noneMatch(name -> name.toLowerCase().contains("updatecheck"));
                assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().toLowerCase().contains("update"));
            } finally {
                ProxySelector.setDefault(called.original);
            }
        }
    }

    /** Notes who is called, and changes nothing. */
    private static final class Recorder extends ProxySelector {

        private final ProxySelector original;
        private final List<URI> uris = new CopyOnWriteArrayList<>();

        private Recorder(ProxySelector original) {
            this.original = original;
        }

        @Override
        public List<Proxy> select(URI uri) {
            uris.add(uri);
            return original.select(uri);
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {
            original.connectFailed(uri, address, failure);
        }
    }

    @Test
    void aDatabaseThatIsNotThereIsAClearFailure() {
        try (TestDatabase database = TestDatabase.create(Database.H2)) {
            assertThatThrownBy(() -> RunningLedger.start(
                            database,
                            "spring.datasource.url=jdbc:postgresql://localhost:1/ledger",
                            "ledger.start.wait-for-database=0s"))
                    .hasStackTraceContaining("Connection to localhost:1 refused");
        }
    }

    @Test
    void aDatabaseOfAnotherNameIsAClearFailure() {
        try (TestDatabase database = TestDatabase.create(Database.POSTGRESQL)) {
            assertThatThrownBy(
                            () -> RunningLedger.start(database, "spring.datasource.url=" + database.url() + "_other"))
                    .hasStackTraceContaining("_other\" does not exist");
        }
    }

    /** Hibernate's validation, on a schema that somebody has changed by hand. */
    @ParameterizedTest
    @EnumSource(Database.class)
    void aSchemaThatIsNotTheLedgersIsAClearFailure(Database kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            RunningLedger.start(database).close();
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute("alter table account_balance drop column updated_at");
            }
            assertThatThrownBy(() -> RunningLedger.start(database))
                    .hasStackTraceContaining("missing column [updated_at]");
        }
    }
}
