package dev.ledger.app.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every entry needs a key; nobody sees or touches another tenant's things (A7, H3). */
@OnBothDatabases(properties = "ledger.http.at-least-timeout=2s")
class SecurityTest {

    private final RunningLedger ledger;

    SecurityTest(RunningLedger ledger) {
        this.ledger = ledger;
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /v1/accounts/a/operations/b",
        "POST, /v1/accounts/a/operations",
        "POST, /v1/operations",
        "GET, /v1/accounts",
        "GET, /v1/accounts/a",
        "GET, /v1/accounts/a/operations",
        "GET, /v1/accounts/a/operations/b",
        "GET, /v1/nothing",
        "GET, /nothing",
        "GET, /actuator",
        "GET, /actuator/health",
        "GET, /actuator/prometheus",
        "GET, /actuator/metrics",
        "GET, /actuator/info",
        "GET, /v3/api-docs",
        "GET, /error"
    })
    void nobodyEntersWithoutAKnownKey(String method, String path) {
        long before = ledger.storedOperations();
        for (String token : List.of(
                "", "wrong", Key.ALPHA.secret() + "x", Key.ALPHA.secret().substring(1), "a.b.c")) {
            Answer answer = ledger.client(token)
                    .send(method, path, "{\"delta\":1}".getBytes(UTF_8), "Content-Type", "application/json");
            answer.isProblem(401, "unauthenticated");
            assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
            assertThat(answer.header("Set-Cookie")).isEmpty();
        }
        assertThat(ledger.storedOperations()).isEqualTo(before);
    }

    @Test
    void anAuthorizationThatIsNoBearerTokenIsRefused() {
        String basic = "Basic YWxwaGE6" + Key.ALPHA.secret();
        for (String value : List.of(basic, "Bearer", "Bearer ", "Bearer  x y", Key.ALPHA.secret(), "Bearer \u00e9")) {
            ledger.client("")
                    .sendRaw("GET /v1/accounts HTTP/1.1", List.of("Authorization: " + value), new byte[0])
                    .isProblem(401, "unauthenticated");
        }
        ledger.client("").get("/v1/accounts?access_token=" + Key.ALPHA.secret()).isProblem(401, "unauthenticated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuator/health/liveness", "/actuator/health/readiness"})
    void theProbesNeedNoKeyAndShowNoDetail(String path) {
        assertThat(ledger.client("").get(path).hasStatus(200).text()).isEqualTo("{\"status\":\"UP\"}");
    }

    @Test
    void metricsAreForThoseWithAKey() {
        assertThat(ledger.client(Key.ALPHA_READER)
                        .get("/actuator/prometheus")
                        .hasStatus(200)
                        .text())
                .contains("ledger_commit_waiting");
    }

    @Test
    void aReaderMayNotWrite() {
        ledger.client(Key.ALPHA).apply("read-only", "read-only-1", 5).hasStatus(201);
        LedgerClient reader = ledger.client(Key.ALPHA_READER);

        reader.apply("read-only", "read-only-2", 1).isProblem(403, "forbidden");
        reader.apply("read-only", "read-only-1", 5).isProblem(403, "forbidden");
        reader.post("read-only", "{\"delta\":1}", "read-only-3").isProblem(403, "forbidden");
        reader.batch("{\"account\":\"read-only\",\"operationId\":\"read-only-4\",\"delta\":1}")
                .isProblem(403, "forbidden");

        reader.get("/v1/accounts/read-only?atLeast=1").hasStatus(200);
        reader.receipt("read-only", "read-only-1").hasStatus(200);
        assertThat(ledger.storedOperations(Key.ALPHA, "read-only")).isEqualTo(1);
    }

    @Test
    void aWriterMayNotRead() {
        LedgerClient writer = ledger.client(Key.ALPHA_WRITER);
        writer.apply("write-only", "write-only-1", 5).hasStatus(201);
        writer.apply("write-only", "write-only-1", 5).hasStatus(200);

        for (String path :
                List.of("", "/write-only", "/write-only/operations", "/write-only/operations/write-only-1")) {
            writer.get("/v1/accounts" + path).isProblem(403, "forbidden");
        }
    }

    /** K28: what another tenant has looks exactly like what nobody has. */
    @Test
    void anotherTenantsThingsLookLikeThingsThatDoNotExist() {
        ledger.client(Key.ALPHA).apply("hidden", "hidden-1", 5).hasStatus(201);
        ledger.client(Key.ALPHA).get("/v1/accounts/hidden?atLeast=1").hasStatus(200);
        LedgerClient beta = ledger.client(Key.BETA);

        for (String path : List.of("", "/operations", "?asOf=2100-01-01T00:00:00Z", "/operations/hidden-1")) {
            Answer hidden = beta.get("/v1/accounts/hidden" + path);
            Answer missing = beta.get("/v1/accounts/missing" + path);
            hidden.isProblem(404, "not-found");
            assertThat(hidden.body()).isEqualTo(missing.body());
            assertThat(headers(hidden)).isEqualTo(headers(missing));
        }
        assertThat(beta.receipt("hidden", "hidden-1").body())
                .isEqualTo(beta.receipt("hidden", "missing").body());
        assertThat(beta.get("/v1/accounts?limit=1000").text()).doesNotContain("hidden");
    }

    private static List<String> headers(Answer answer) {
        List<String> headers = new ArrayList<>();
        answer.headers().map().forEach((name, values) -> {
            if (!name.equalsIgnoreCase("date")) {
                headers.add(name + values);
            }
        });
        return headers;
    }

    /** K28, the other half: whoever uses an id first blocks nobody of another tenant. */
    @Test
    void theSameIdsOfTwoTenantsAreTwoOperationsOfTwoAccounts() {
        Answer alpha = ledger.client(Key.ALPHA).apply("same", "same-1", 5).hasStatus(201);

        Answer beta = ledger.client(Key.BETA).apply("same", "same-1", 7).hasStatus(201);

        assertThat(beta.json().path("balance").asLong()).isEqualTo(7);
        assertThat(beta.json().path("sequence").asLong()).isEqualTo(1);
        assertThat(beta.json().path("eventId")).isNotEqualTo(alpha.json().path("eventId"));
        ledger.client(Key.BETA).apply("same", "same-2", -8).isProblem(422, "insufficient-balance");
        assertThat(ledger.client(Key.ALPHA).receipt("same", "same-1").body()).isEqualTo(alpha.body());
        assertThat(ledger.storedOperations(Key.ALPHA, "same")).isEqualTo(1);
        assertThat(ledger.storedOperations(Key.BETA, "same")).isEqualTo(1);
    }

    /** A7. */
    @Test
    void aTenantInABodyOrALineIsRefused() {
        LedgerClient alpha = ledger.client(Key.ALPHA);

        alpha.put("claimed", "claimed-1", "{\"delta\":1,\"tenant\":\"beta\"}").isProblem(400, "invalid-request");
        assertThat(alpha.batch(
                                "{\"tenant\":\"beta\",\"account\":\"claimed\",\"operationId\":\"claimed-2\",\"delta\":1}")
                        .lines()
                        .get(0)
                        .path("status")
                        .asString())
                .isEqualTo("rejected");
        alpha.apply("beta/claimed", "claimed-3", 1).isProblem(404, "not-found");

        assertThat(ledger.storedOperations(Key.ALPHA, "claimed")).isZero();
        assertThat(ledger.storedOperations(Key.BETA, "claimed")).isZero();
    }

    /** Two tenants at once, over the same few accounts: each ends with exactly its own. */
    @Test
    void tenantsThatWorkAtTheSameTimeDoNotMix() {
        IntStream.range(0, 200).parallel().forEach(i -> {
            Key key = i % 2 == 0 ? Key.ALPHA : Key.BETA;
            ledger.client(key)
                    .apply("busy", "busy-" + i / 2, i % 2 == 0 ? 1 : 1000)
                    .hasStatus(201);
        });

        assertThat(ledger.client(Key.ALPHA)
                        .apply("busy", "busy-end", 0)
                        .json()
                        .path("balance")
                        .asLong())
                .isEqualTo(100);
        assertThat(ledger.client(Key.BETA)
                        .apply("busy", "busy-end", 0)
                        .json()
                        .path("balance")
                        .asLong())
                .isEqualTo(100_000);
    }
}
