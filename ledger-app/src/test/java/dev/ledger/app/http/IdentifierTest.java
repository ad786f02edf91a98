package dev.ledger.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Accounts and operation ids are compared byte by byte, on both databases alike (K23). */
@OnBothDatabases
class IdentifierTest {

    private final RunningLedger ledger;
    private final LedgerClient alpha;

    IdentifierTest(RunningLedger ledger) {
        this.ledger = ledger;
        this.alpha = ledger.client(Key.ALPHA);
    }

    /** As they are written in a path; the last ones are refused by the web server before the ledger sees them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a%20b",
                "a%2B%20b",
                "a%20",
                "%20a",
                "%20",
                "a%0A",
                "a%09",
                "a%00b",
                "%00",
                "a%7Fb",
                "a%C3%A9",
                "e%CC%81",
                "%EF%BD%81",
                "%D9%A5",
                "%F0%9F%98%80",
                "a%E2%80%8B",
                "a%2Fb",
                "a%2fb",
                "%2F",
                "a%5Cb",
                "a%3Bb",
                "a;b",
                "a;b=c",
                ";",
                "a%25b",
                "a%252Fb",
                "a%22b",
                "a%27b",
                "a,b",
                "a*b",
                "a(b)",
                "a$b",
                "a!b",
                "a&b",
                "%2E%2E%2Fx",
                "%FF",
                "%C0%AF"
            })
    void anIdWithAForbiddenCharacterIsRefusedWhereverItStands(String id) {
        long before = ledger.storedOperations();
        for (String path : List.of(
                "/v1/accounts/" + id + "/operations/fine",
                "/v1/accounts/fine/operations/" + id,
                "/v1/accounts/" + id + "/operations")) {
            Answer answer = alpha.sendRaw(
                    (path.endsWith("operations") ? "POST " : "PUT ") + path + " HTTP/1.1",
                    List.of("Content-Type: application/json", "Idempotency-Key: fine", "Content-Length: 11"),
                    "{\"delta\":1}".getBytes());
            answer.isProblem(400, "invalid-request");
        }
        for (String path : List.of(
                "/v1/accounts/" + id,
                "/v1/accounts/" + id + "/operations",
                "/v1/accounts/" + id + "/operations/fine",
                "/v1/accounts/fine/operations/" + id)) {
            alpha.sendRaw("GET " + path + " HTTP/1.1", List.of(), new byte[0]).isProblem(400, "invalid-request");
        }
        assertThat(ledger.storedOperations()).isEqualTo(before);
    }

    @Test
    void anIdHasAtMost128Characters() {
        String longest = "x".repeat(128);
        alpha.apply(longest, longest, 1).hasStatus(201);
        alpha.receipt(longest, longest).hasStatus(200);

        alpha.apply(longest + "x", "fine", 1).isProblem(400, "invalid-request");
        alpha.apply("fine", longest + "x", 1).isProblem(400, "invalid-request");
        alpha.post("fine", "{\"delta\":1}", longest + "x").isProblem(400, "invalid-request");
        alpha.put("fine", "caused", "{\"delta\":1,\"causedBy\":\"" + longest + "x\"}")
                .isProblem(400, "invalid-request");
        assertThat(ledger.storedOperations(Key.ALPHA, "fine")).isZero();
        assertThat(ledger.storedOperations(Key.ALPHA, longest)).isEqualTo(1);
    }

    @Test
    void everyAllowedCharacterStaysAsItIs() {
        List<String> ids = List.of(
                "AZaz09._:-",
                "-",
                "_",
                ":",
                "a:b",
                "0",
                "null",
                "-1",
                "a..b",
                "A.",
                "alice+tag@example.org",
                "@",
                "+",
                "=",
                "~",
                "YQ==",
                "a~b",
                "E2E:2026-12=7");
        for (String id : ids) {
            Answer receipt = alpha.apply(id, id, 1).hasStatus(201);
            assertThat(receipt.json().path("account").asString()).isEqualTo(id);
            assertThat(receipt.json().path("operationId").asString()).isEqualTo(id);
        }
        ids.forEach(id -> alpha.get("/v1/accounts/" + id + "?atLeast=1").hasStatus(200));
    }

    /** Clients and proxies differ in what they encode; a plus in a path is a plus, and not the blank of a query. */
    @Test
    void aCharacterAndItsPercentEncodingAreTheSameId() {
        String plain = "enc.a@b+c=d~e:f";
        String encoded = "enc.a%40b%2Bc%3Dd%7Ee%3Af";
        Answer receipt = alpha.apply(plain, plain, 5).hasStatus(201);
        assertThat(receipt.json().path("account").asString()).isEqualTo(plain);

        Answer again = alpha.apply(encoded, encoded.replace("%2B", "%2b").replace("%3D", "%3d"), 5);
        assertThat(again.hasStatus(200).header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(again.body()).isEqualTo(receipt.body());
        assertThat(alpha.receipt(encoded, plain).hasStatus(200).body()).isEqualTo(receipt.body());
        assertThat(alpha.post(encoded, "{\"delta\":5}", "\"" + plain + "\"")
                        .hasStatus(200)
                        .body())
                .isEqualTo(receipt.body());
        assertThat(alpha.batch("{\"account\":\"%s\",\"operationId\":\"%s\",\"delta\":5}".formatted(plain, plain))
                        .lines()
                        .get(0)
                        .path("status")
                        .asString())
                .isEqualTo("replayed");
        alpha.get("/v1/accounts/" + encoded + "?atLeast=1").hasStatus(200);
        alpha.get("/v1/operations/" + encoded + "/trace").hasStatus(200);
        assertThat(ledger.storedOperations(Key.ALPHA, plain)).isEqualTo(1);
    }

    @Test
    void causedByAndCorrelationsAreIdentifiersToo() {
        String id = "e2e+1@bank=~";
        Answer receipt = alpha.put("caused", "caused-by", "{\"delta\":1,\"causedBy\":\"" + id + "\"}");
        assertThat(receipt.hasStatus(201).json().path("causedBy").asString()).isEqualTo(id);
        alpha.send(
                        "PUT",
                        "/v1/accounts/caused/operations/correlated",
                        "{\"delta\":1}".getBytes(),
                        "Content-Type",
                        "application/json",
                        "X-Correlation-Id",
                        id)
                .hasStatus(201);
        assertThat(alpha.get("/v1/operations/correlated/trace")
                        .json()
                        .path("fact")
                        .path("correlationId")
                        .asString())
                .isEqualTo(id);
    }

    @Test
    void idsThatDifferInCaseOrPunctuationAreDifferent() {
        Set<String> ids = Set.of(
                "case", "Case", "CASE", "ca-se", "ca_se", "c.ase", "case.", "0case", "00case", "ca+se", "ca@se",
                "ca=se", "ca~se", "case=");
        ids.forEach(id -> alpha.apply("case-account", id, 1).hasStatus(201));
        ids.forEach(id -> alpha.apply(id, "on-" + id, 7).hasStatus(201));

        assertThat(ledger.storedOperations(Key.ALPHA, "case-account")).isEqualTo(ids.size());
        ids.forEach(id -> assertThat(alpha.get("/v1/accounts/" + id + "?atLeast=1")
                        .hasStatus(200)
                        .json()
                        .path("balance")
                        .asLong())
                .isEqualTo(7));
        Set<String> listed = new TreeSet<>();
        alpha.get("/v1/accounts?limit=1000")
                .json()
                .path("items")
                .forEach(item -> listed.add(item.path("account").asString()));
        assertThat(listed).containsAll(ids);
    }
}
