package dev.ledger.app.security;

import static dev.ledger.app.security.Role.ADMIN;
import static dev.ledger.app.security.Role.OPERATOR;
import static dev.ledger.app.security.Role.READER;
import static dev.ledger.app.security.Role.WRITER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/**
 * Walks every path of the API as the ledger itself has registered it, so that a new one cannot be forgotten: with each
 * single role, and with a key of another tenant (A7, H3, K28, K47).
 */
@OnBothDatabases
class EveryPathTest {

    private static final Map<Role, Key> KEY_OF = Map.of(
            WRITER, Key.ALPHA_WRITER,
            READER, Key.ALPHA_READER,
            OPERATOR, Key.ALPHA_OPERATOR,
            ADMIN, Key.ALPHA_ADMIN);

    /** Who may enter; what he then sees and does is a matter of his tenant. */
    private static final Map<String, Set<Role>> ENTRIES = Map.ofEntries(
            Map.entry("PUT /v1/accounts/{account}/operations/{operationId}", Set.of(WRITER)),
            Map.entry("POST /v1/accounts/{account}/operations", Set.of(WRITER)),
            Map.entry("POST /v1/operations", Set.of(WRITER)),
            Map.entry("POST /v1/inbox/{handler}", Set.of(WRITER)),
            Map.entry("GET /v1/accounts", Set.of(READER, OPERATOR)),
            Map.entry("GET /v1/accounts/{account}", Set.of(READER, OPERATOR)),
            Map.entry("GET /v1/accounts/{account}/operations", Set.of(READER, OPERATOR)),
            Map.entry("GET /v1/accounts/{account}/operations/{operationId}", Set.of(READER, OPERATOR)),
            Map.entry("GET /v1/operations/{operationId}/trace", Set.of(READER, OPERATOR)),
            Map.entry("GET /v1/handlers", Set.of(READER, OPERATOR, ADMIN)),
            Map.entry("POST /v1/replays", Set.of(OPERATOR, ADMIN)),
            Map.entry("GET /v1/replays", Set.of(OPERATOR, ADMIN)),
            Map.entry("GET /v1/replays/{id}", Set.of(OPERATOR, ADMIN)),
            Map.entry("GET /v1/replays/{id}/report", Set.of(OPERATOR, ADMIN)),
            Map.entry("POST /v1/replays/{id}/start", Set.of(OPERATOR, ADMIN)));

    private static final String ACCOUNT = "walked";
    private static final String OPERATION = "walked-1";

    private final RunningLedger ledger;
    private String job;

    EveryPathTest(RunningLedger ledger) {
        this.ledger = ledger;
    }

    @BeforeEach
    void somethingOfAlphasIsThere() {
        ledger.client(Key.ALPHA).apply(ACCOUNT, OPERATION, 5);
        ledger.client(Key.ALPHA).get("/v1/accounts/" + ACCOUNT + "?atLeast=1").hasStatus(200);
        job = plan(Key.ALPHA).hasStatus(201).json().path("id").asString();
    }

    private Answer plan(Key key) {
        return ledger.client(key)
                .send(
                        "POST",
                        "/v1/replays",
                        "{\"handlers\":[\"account-balances\"],\"mode\":\"rebuild\"}".getBytes(UTF_8),
                        "Content-Type",
                        "application/json");
    }

    private Set<String> registered() {
        Set<String> entries = new TreeSet<>();
        ledger.beans(RequestMappingInfoHandlerMapping.class).stream()
                .flatMap(mappings -> mappings.getHandlerMethods().keySet().stream())
                .forEach(mapping -> mapping.getPatternValues().stream()
                        .filter(pattern -> pattern.startsWith("/v1"))
                        .forEach(pattern -> mapping.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> entries.add(method + " " + pattern))));
        return entries;
    }

    @Test
    void everyRegisteredPathSaysWhoMayEnter() {
        assertThat(registered()).isEqualTo(new TreeSet<>(ENTRIES.keySet()));
    }

    @Test
    void eachRoleEntersWhereItMayAndNowhereElse() {
        ENTRIES.forEach((entry, roles) -> KEY_OF.forEach((role, key) -> {
            for (String path : paths(entry, "unknown", "unknown-1", UUID.randomUUID())) {
                Answer answer = call(ledger.client(key), entry, path);
                if (roles.contains(role)) {
                    assertThat(answer.status()).as("%s for %s", path, role).isNotEqualTo(403);
                } else {
                    answer.isProblem(403, "forbidden");
                }
            }
        }));
    }

    /** The path itself, and for reading HEAD as well as GET. */
    @Test
    void whoeverMayGetMayHead() {
        ENTRIES.keySet().stream().filter(entry -> entry.startsWith("GET ")).forEach(entry -> {
            for (Key key : KEY_OF.values()) {
                String path = path(entry, ACCOUNT, OPERATION, job);
                Answer get = ledger.client(key).get(path);
                Answer head = ledger.client(key).send("HEAD", path, null);
                assertThat(head.status()).as("HEAD %s for %s", path, key).isEqualTo(get.status());
                assertThat(head.body()).isEmpty();
            }
        });
    }

    @Test
    void anotherTenantsThingsAreNotFoundByTheSameBytes() {
        LedgerClient beta = ledger.client(Key.BETA);
        long before = ledger.storedOperations(Key.ALPHA, ACCOUNT);
        for (String entry : ENTRIES.keySet()) {
            if (entry.contains("{")
                    && !entry.startsWith("PUT")
                    && !entry.endsWith("/operations")
                    && !entry.contains("inbox")) {
                Answer theirs = call(beta, entry, path(entry, ACCOUNT, OPERATION, job));
                Answer nobodys = call(
                        beta,
                        entry,
                        path(entry, "nobody", "nobody-1", UUID.randomUUID().toString()));
                theirs.isProblem(404, "not-found");
                assertThat(theirs.body()).as(entry).isEqualTo(nobodys.body());
            }
        }
        assertThat(ledger.storedOperations(Key.ALPHA, ACCOUNT)).isEqualTo(before);
    }

    /** K47: a job over the whole ledger shows the figures of all tenants. */
    @Test
    void anOperatorNeitherSeesNorStartsWhatConcernsTheWholeLedger() {
        for (Key key : List.of(Key.BETA, Key.ALPHA_OPERATOR)) {
            plan(key).isProblem(403, "forbidden");
            assertThat(ledger.client(key).get("/v1/replays").hasStatus(200).text())
                    .isEqualTo("{\"items\":[]}");
            ledger.client(key).get("/v1/replays/" + job).isProblem(404, "not-found");
            ledger.client(key).get("/v1/replays/" + job + "/report").isProblem(404, "not-found");
            ledger.client(key)
                    .send("POST", "/v1/replays/" + job + "/start", null)
                    .isProblem(404, "not-found");
            assertThat(ledger.client(key).get("/v1/handlers").hasStatus(200).text())
                    .contains("account-balances")
                    .doesNotContain("lag", "position", "owner");
        }
        LedgerClient admin = ledger.client(Key.ALPHA_ADMIN);
        assertThat(admin.get("/v1/replays/" + job)
                        .hasStatus(200)
                        .json()
                        .path("state")
                        .asString())
                .isEqualTo("planned");
        assertThat(admin.get("/v1/replays").text()).contains(job);
        assertThat(admin.get("/v1/handlers").text()).contains("lag");
    }

    private static List<String> paths(String entry, String account, String operation, UUID id) {
        List<String> paths = new ArrayList<>();
        String path = path(entry, account, operation, id.toString());
        paths.add(path);
        if (entry.startsWith("GET")) {
            paths.add(path + "?x=y");
        }
        return paths;
    }

    private static String path(String entry, String account, String operation, String id) {
        return entry.split(" ")[1]
                .replace("{account}", account)
                .replace("{operationId}", operation)
                .replace("{handler}", "order-audit")
                .replace("{id}", id);
    }

    private static Answer call(LedgerClient client, String entry, String path) {
        String method = entry.split(" ")[0];
        return method.equals("GET")
                ? client.get(path)
                : client.send(method, path, "{".getBytes(UTF_8), "Content-Type", "application/json");
    }
}
