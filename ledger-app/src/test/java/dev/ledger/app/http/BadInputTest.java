package dev.ledger.app.http;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input gets a clear problem document and leaves nothing behind (H4, K22, K24). */
@OnBothDatabases(properties = {"ledger.http.max-body=8KB", "ledger.http.max-line=8KB"})
class BadInputTest {

    private static final int LIMIT_BYTES = 8 * 1024;

    private final RunningLedger ledger;
    private final LedgerClient alpha;
    private long storedBefore;

    BadInputTest(RunningLedger ledger) {
        this.ledger = ledger;
        this.alpha = ledger.client(Key.ALPHA);
    }

    @BeforeEach
    void count() {
        storedBefore = ledger.storedOperations();
    }

    @AfterEach
    void nothingWasStored() {
        assertThat(ledger.storedOperations()).isEqualTo(storedBefore);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
        body       | {
        body       | {"delta":5
        body       | {"delta":5}}
        body       | {"delta":5} {"delta":5}
        body       | {"delta":5,}
        body       | {'delta':5}
        body       | {delta:5}
        body       | // comment
        body       | null
        body       | 5
        body       | "delta"
        body       | [1]
        body       | NaN
        delta      | {}
        delta      | {"memo":"x"}
        delta      | {"delta":null}
        delta      | {"delta":true}
        delta      | {"delta":[5]}
        delta      | {"delta":{}}
        delta      | {"delta":""}
        delta      | {"delta":"abc"}
        delta      | {"delta":1.5}
        delta      | {"delta":1.0}
        delta      | {"delta":1e2}
        delta      | {"delta":"1e2"}
        delta      | {"delta":9223372036854775808}
        delta      | {"delta":-9223372036854775809}
        delta      | {"delta":"9223372036854775808"}
        delta      | {"delta":"99999999999999999999999999"}
        delta      | {"delta":"+5"}
        delta      | {"delta":" 5"}
        delta      | {"delta":"5 "}
        delta      | {"delta":"007"}
        delta      | {"delta":"-"}
        delta      | {"delta":"--5"}
        delta      | {"delta":"0x10"}
        delta      | {"delta":"٥"}
        delta      | {"delta":"５"}
        delta      | {"delta":"5\\u0000"}
        body       | {"delta":007}
        body       | {"delta":+5}
        body       | {"delta":٥}
        body       | {"delta":1,"delta":2}
        body       | {"delta":1,"delta":1}
        body       | {"delta":1,"\\u0064elta":2}
        body       | {"delta":1,"attributes":{"a":"1","a":"2"}}
        amount     | {"delta":1,"amount":2}
        tenant     | {"delta":1,"tenant":"beta"}
        account    | {"delta":1,"account":"mine"}
        operationId| {"delta":1,"operationId":"mine"}
        Delta      | {"delta":1,"Delta":2}
        memo       | {"delta":1,"memo":5}
        memo       | {"delta":1,"memo":["x"]}
        memo       | {"delta":1,"memo":"a\\u0000b"}
        memo       | {"delta":1,"memo":"\\ud800"}
        memo       | {"delta":1,"memo":"\\udc00\\ud800"}
        causedBy   | {"delta":1,"causedBy":""}
        causedBy   | {"delta":1,"causedBy":"a b"}
        causedBy   | {"delta":1,"causedBy":5}
        attributes | {"delta":1,"attributes":[]}
        attributes | {"delta":1,"attributes":"a"}
        attributes | {"delta":1,"attributes":{"a":1}}
        attributes | {"delta":1,"attributes":{"a":null}}
        attributes | {"delta":1,"attributes":{"a":{"b":"c"}}}
        attributes | {"delta":1,"attributes":{"a":"\\u0000"}}
        attributes | {"delta":1,"attributes":{"\\u0000":"a"}}
        attributes | {"delta":1,"attributes":{"\\udfff":"a"}}
        occurredAt | {"delta":1,"occurredAt":"yesterday"}
        occurredAt | {"delta":1,"occurredAt":"2026-01-01"}
        occurredAt | {"delta":1,"occurredAt":"2026-01-01T00:00:00"}
        occurredAt | {"delta":1,"occurredAt":"2026-02-30T00:00:00Z"}
        occurredAt | {"delta":1,"occurredAt":"2026-01-01T25:00:00Z"}
        occurredAt | {"delta":1,"occurredAt":"2026-01-01T00:00:00+2:00"}
        occurredAt | {"delta":1,"occurredAt":"2026-01-01T00:00:00.1234567890Z"}
        occurredAt | {"delta":1,"occurredAt":1767225600}
        body       | [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]
        """)
    void aBodyThatIsNoOperationIsRefusedAndTheFieldNamed(String field, String body) {
        assertThat(alpha.put("bad", "bad", body)
                        .isProblem(400, "invalid-request")
                        .path("field")
                        .asString())
                .isEqualTo(field);
    }

    @Test
    void anEmptyBodyIsRefused() {
        alpha.put("bad", "bad", "").isProblem(400, "invalid-request");
        alpha.put("bad", "bad", " \n").isProblem(400, "invalid-request");
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() {
        byte[][] broken = {
            {(byte) 0xff}, // never in UTF-8
            {(byte) 0xc0, (byte) 0xaf}, // an overlong slash
            {(byte) 0xc0, (byte) 0x80}, // an overlong NUL
            {(byte) 0xe0, (byte) 0x80, (byte) 0xaf}, // a longer one
            {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, // a surrogate
            {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80}, // above U+10FFFF
            {(byte) 0xc3}, // half a character
        };
        for (byte[] text : broken) {
            alpha.put("bad", "bad", memo(text)).isProblem(400, "invalid-request");
        }
        alpha.put("bad", "bad", "{\"delta\":1}".getBytes(UTF_16)).isProblem(400, "invalid-request");
    }

    private static byte[] memo(byte[] text) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes("{\"delta\":1,\"memo\":\"".getBytes(UTF_8));
        body.writeBytes(text);
        body.writeBytes("\"}".getBytes(UTF_8));
        return body.toByteArray();
    }

    @Test
    void aMemoEndsAt512CharactersAndAttributesAt4Kibibytes() {
        alpha.put("bad", "bad", "{\"delta\":1,\"memo\":\"" + "é".repeat(513) + "\"}")
                .isProblem(400, "invalid-request");
        alpha.put("bad", "bad", "{\"delta\":1,\"attributes\":{\"k\":\"" + "v".repeat(4096) + "\"}}")
                .isProblem(400, "invalid-request");
    }

    /** Also without a length ahead of it, as a chunked body comes. */
    @Test
    void aBodyOverTheLimitIsTooLargeHoweverItIsSent() {
        byte[] tooLarge = body(LIMIT_BYTES + 1);
        alpha.put("bad", "bad", tooLarge).isProblem(413, "payload-too-large");

        ByteArrayOutputStream chunked = new ByteArrayOutputStream();
        chunked.writeBytes((Integer.toHexString(tooLarge.length) + "\r\n").getBytes(UTF_8));
        chunked.writeBytes(tooLarge);
        chunked.writeBytes("\r\n0\r\n\r\n".getBytes(UTF_8));
        alpha.sendRaw(
                        "PUT /v1/accounts/bad/operations/bad HTTP/1.1",
                        List.of("Content-Type: application/json", "Transfer-Encoding: chunked"),
                        chunked.toByteArray())
                .isProblem(413, "payload-too-large");
    }

    @Test
    void aBodyAtTheLimitIsRead() {
        // It is the content that is refused, not the size.
        alpha.put("bad", "bad", body(LIMIT_BYTES, "{\"delta\":-1}")).isProblem(422, "insufficient-balance");
    }

    private static byte[] body(int bytes) {
        return body(bytes, "{\"delta\":1}");
    }

    private static byte[] body(int bytes, String body) {
        return (body + " ".repeat(bytes - body.length())).getBytes(UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"text/plain", "application/x-www-form-urlencoded", "application/jsonx", "*/*", "nonsense", ""})
    void aBodyOfAnotherTypeIsRefused(String type) {
        for (String path : List.of("PUT /v1/accounts/bad/operations/bad", "POST /v1/accounts/bad/operations")) {
            alpha.sendRaw(
                            path + " HTTP/1.1",
                            List.of("Content-Type: " + type, "Idempotency-Key: bad", "Content-Length: 11"),
                            "{\"delta\":1}".getBytes(UTF_8))
                    .isProblem(415, "unsupported-media-type");
        }
        alpha.sendRaw(
                        "POST /v1/operations HTTP/1.1",
                        List.of("Content-Type: " + type, "Content-Length: 0"),
                        new byte[0])
                .isProblem(415, "unsupported-media-type");
    }

    @Test
    void aBodyWithoutATypeIsRefused() {
        alpha.sendRaw(
                        "PUT /v1/accounts/bad/operations/bad HTTP/1.1",
                        List.of("Content-Length: 11"),
                        "{\"delta\":1}".getBytes(UTF_8))
                .isProblem(415, "unsupported-media-type");
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE, /v1/accounts/a",
        "PATCH, /v1/accounts/a/operations/b",
        "DELETE, /v1/accounts/a/operations/b",
        "POST, /v1/accounts/a/operations/b",
        "PUT, /v1/accounts/a",
        "PUT, /v1/accounts",
        "PUT, /v1/operations",
        "GET, /v1/operations"
    })
    void anotherMethodIsNotAllowedAndTheAllowedOnesAreNamed(String method, String path) {
        Answer answer = alpha.send(method, path, new byte[0], "Content-Type", "application/json");

        answer.isProblem(405, "method-not-allowed");
        assertThat(answer.header("Allow")).isNotEmpty().doesNotContain(method);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/index.html",
                "/v1",
                "/v1/",
                "/v2/accounts",
                "/v1/account/a",
                "/v1/accounts/a/b",
                "/error",
                "/favicon.ico"
            })
    void anUnknownPathIsNotFound(String path) {
        alpha.get(path).isProblem(404, "not-found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/accounts?limit=0",
                "/v1/accounts?limit=-1",
                "/v1/accounts?limit=1001",
                "/v1/accounts?limit=ten",
                "/v1/accounts?limit=",
                "/v1/accounts?limit=%D9%A5",
                "/v1/accounts?cursor=!",
                "/v1/accounts?cursor=_w",
                "/v1/accounts/a/operations?cursor=YQ",
                "/v1/accounts/a/operations?cursor=AA",
                "/v1/accounts/a/operations?from=yesterday",
                "/v1/accounts/a/operations?to=2026-01-01",
                "/v1/accounts/a/operations?from=2026-01-01T00:00:00",
                "/v1/accounts/a?asOf=now",
                "/v1/accounts/a?asOf=",
                "/v1/accounts/a?atLeast=-1",
                "/v1/accounts/a?atLeast=x",
                "/v1/accounts/a?atLeast=1.0",
                "/v1/accounts/a?atLeast=9223372036854775808",
                "/v1/accounts/a?atLeast=1&asOf=2026-01-01T00:00:00Z"
            })
    void aQueryThatCannotBeReadIsRefused(String path) {
        alpha.get(path).isProblem(400, "invalid-request");
    }

    /** What no HTTP client would send gets no page of the web server's own either. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /v1/accounts/a|b HTTP/1.1",
                "GET /v1/accounts/a%zz HTTP/1.1",
                "GET /v1/accounts/%C0%AF HTTP/1.1",
                "GET /v1/accounts/../../x HTTP/1.1",
                "GET /v1/accounts/a\\b HTTP/1.1",
                "GET /v1//accounts HTTP/1.1",
                "GET v1/accounts HTTP/1.1",
                "G@T /v1/accounts HTTP/1.1",
                "GET /v1/accounts?x=\u0001 HTTP/1.1"
            })
    void aBrokenRequestIsRefusedWithAProblemDocument(String requestLine) {
        Answer answer = alpha.sendRaw(requestLine, List.of(), new byte[0]);
        answer.isProblem(400, "invalid-request");
        assertThat(answer.text()).doesNotContain("Tomcat").doesNotContain("Exception");
    }

    @Test
    void headersThatAreTooLargeAreRefusedWithAProblemDocument() {
        Answer answer =
                alpha.sendRaw("GET /v1/accounts HTTP/1.1", List.of("X-Large: " + "x".repeat(100_000)), new byte[0]);
        assertThat(answer.status()).isBetween(400, 431);
        assertThat(answer.header("content-type")).startsWith("application/problem+json");
    }

    @Test
    void secretsInABodyAreNotEchoed() {
        Answer answer = alpha.put("bad", "bad", "{\"delta\":1,\"memo\":5,\"hunter2-password\":\"hunter2\"}");
        assertThat(answer.text()).doesNotContain("hunter2");
        answer = alpha.put("bad", "bad", "{\"delta\":\"hunter2\"}");
        assertThat(answer.text()).doesNotContain("hunter2");
        answer = alpha.put("bad", "bad", "{\"delta\":1,\"hunter2-password\":\"hunter2\"}");
        assertThat(answer.text()).doesNotContain("hunter2");
    }
}
