package dev.ledger.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.store.Database;
import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.app.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a browser shows at {@code /}. */
class LandingPageTest {

    private static RunningLedger ledger;

    @BeforeAll
    static void start() {
        ledger = RunningLedger.startAndOwn(TestDatabase.create(Database.H2));
    }

    @AfterAll
    static void stop() {
        ledger.close();
    }

    /** A browser sends no key; one that is sent is judged as everywhere. */
    @Test
    void aWrongKeyIsRefusedHereToo() {
        ledger.client("no-key-at-all").get("/").isProblem(401, "unauthenticated");
    }

    @Test
    void itSaysWhatThisIsWhatTheApiIsCalledAndWhereTheKeyLies() {
        Answer answer = ledger.client("").get("/").hasStatus(200);

        assertThat(answer.header("Content-Type")).isEqualTo("text/html;charset=UTF-8");
        assertThat(answer.text())
                .contains("This is a ledger")
                .contains("/v1/accounts/{account}/operations/{operationId}")
                .contains("data/initial-key")
                .contains("light dark");
        ledger.client(Key.ALPHA_READER).get("/").hasStatus(200);
    }

    /** The page's only style sheet is allowed by its hash; anything that a browser would run or fetch is not there. */
    @Test
    void itsPolicyAllowsItsOwnStyleSheetAndNothingElse() throws Exception {
        Answer answer = ledger.client("").get("/").hasStatus(200);
        String style = answer.text().replaceAll("(?s).*<style>(.*)</style>.*", "$1");
        String hash = Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8)));

        assertThat(answer.header("Content-Security-Policy"))
                .contains("default-src 'none'", "style-src 'sha256-" + hash + "'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(answer.text())
                .doesNotContainIgnoringCase("<script")
                .doesNotContain("http://", "https://", "src=", "style=", "onclick");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Set-Cookie")).isEmpty();
    }

    @Test
    void aHeadIsAnsweredAsAGetWithoutItsBody() {
        Answer answer = ledger.client("").send("HEAD", "/", null).hasStatus(200);

        assertThat(answer.body()).isEmpty();
        assertThat(answer.header("Content-Type")).isEqualTo("text/html;charset=UTF-8");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /",
        "PUT, /",
        "DELETE, /",
        "OPTIONS, /",
        "GET, /index.html",
        "GET, /landing.html",
        "GET, /x",
        "GET, /favicon.ico"
    })
    void nothingElseIsOpen(String method, String path) {
        ledger.client("").send(method, path, null).isProblem(401, "unauthenticated");
    }
}
