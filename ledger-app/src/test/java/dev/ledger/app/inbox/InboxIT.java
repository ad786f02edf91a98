package dev.ledger.app.inbox;

import static dev.ledger.app.inbox.Sender.event;
import static dev.ledger.app.inbox.Sender.orderPaid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@OnBothDatabases
class InboxIT {

    private static final String LOYALTY = "loyalty-points";
    private static final String AUDIT = "order-audit";

    private final RunningLedger ledger;
    private final Sender alpha;

    InboxIT(RunningLedger ledger) {
        this.ledger = ledger;
        this.alpha = new Sender(ledger, Key.ALPHA);
    }

    @Test
    void twoHandlersThatReceiveOneEventNeverBlockEachOther() {
        String event = orderPaid("event-1", "c-1", 120);

        assertThat(outcome(alpha.structured(LOYALTY, event))).isEqualTo("applied");
        assertThat(outcome(alpha.structured(AUDIT, event))).isEqualTo("applied");
        assertThat(outcome(alpha.structured(AUDIT, event))).isEqualTo("duplicate");
        assertThat(outcome(alpha.structured(LOYALTY, event))).isEqualTo("duplicate");

        assertThat(balance(Key.ALPHA, "points:c-1")).isEqualTo(120);
        assertThat(count("order_audit where event_id = 'event-1'")).isEqualTo(1);
        assertThat(outcomes("event-1")).containsExactly("applied", "applied", "duplicate", "duplicate");
    }

    @Test
    void aDuplicateGetsTheFirstResultHoweverTheBalanceWentOn() {
        Answer first = alpha.structured(LOYALTY, orderPaid("late-1", "c-2", 10)).hasStatus(200);
        alpha.structured(LOYALTY, orderPaid("late-2", "c-2", 5)).hasStatus(200);

        JsonNode again = alpha.structured(LOYALTY, orderPaid("late-1", "c-2", 10))
                .hasStatus(200)
                .json();

        assertThat(again.path("outcome").asString()).isEqualTo("duplicate");
        assertThat(again.path("result")).isEqualTo(first.json().path("result"));
        assertThat(again.path("result").path("balance").asLong()).isEqualTo(10);
        assertThat(again.path("handlerVersion").asString()).isEqualTo("1");
        assertThat(balance(Key.ALPHA, "points:c-2")).isEqualTo(15);
    }

    @Test
    void anotherContentUnderTheSameIdIsAConflictAndIsKeptAsEvidence() {
        alpha.structured(LOYALTY, orderPaid("twice", "c-3", 10)).hasStatus(200);

        Answer conflict = alpha.structured(LOYALTY, orderPaid("twice", "c-3", 11));
        alpha.structured(LOYALTY, orderPaid("twice", "c-3", 11)).isProblem(409, "operation-conflict");

        JsonNode problem = conflict.isProblem(409, "operation-conflict");
        assertThat(problem.path("storedDigest").asString()).startsWith("sha-256:");
        assertThat(problem.path("offeredDigest").asString())
                .startsWith("sha-256:")
                .isNotEqualTo(problem.path("storedDigest").asString());
        assertThat(conflict.text()).doesNotContain("balance").doesNotContain("c-3");
        assertThat(balance(Key.ALPHA, "points:c-3")).isEqualTo(10);
        assertThat(outcomes("twice")).containsExactly("applied", "conflict", "conflict");
        assertThat(ledger.jdbc()
                        .queryForList(
                                "select offered_content from inbox_conflict where event_id = 'twice'", String.class))
                .singleElement()
                .asString()
                .contains("\"points\":11");
    }

    @Test
    void tenantsWithTheSameEventIdNeverTouch() {
        Sender beta = new Sender(ledger, Key.BETA);

        assertThat(outcome(alpha.structured(LOYALTY, orderPaid("guessed", "c-4", 7))))
                .isEqualTo("applied");
        String forged = """
                {"specversion":"1.0","id":"guessed","source":"/shop","type":"order.paid","tenant":"alpha",\
                "data":{"tenant":"alpha","customer":"c-4","points":9}}""";
        assertThat(outcome(beta.structured(LOYALTY, forged))).isEqualTo("applied");

        assertThat(balance(Key.ALPHA, "points:c-4")).isEqualTo(7);
        assertThat(balance(Key.BETA, "points:c-4")).isEqualTo(9);
        assertThat(count("inbox where event_id = 'guessed'")).isEqualTo(2);
    }

    @Test
    void whatTheLedgerRefusesLeavesNothingThatWouldMakeTheRetryADuplicate() {
        ledger.client(Key.ALPHA).apply("points:c-5", "fill", Long.MAX_VALUE).hasStatus(201);

        alpha.structured(LOYALTY, orderPaid("full", "c-5", 1)).isProblem(422, "balance-overflow");
        assertThat(count("inbox where event_id = 'full'")).isZero();

        ledger.client(Key.ALPHA).apply("points:c-5", "spend", -100).hasStatus(201);
        assertThat(outcome(alpha.structured(LOYALTY, orderPaid("full", "c-5", 1))))
                .isEqualTo("applied");
        assertThat(outcomes("full")).containsExactly("rejected", "applied");
    }

    @Test
    void aHandlerGetsOnlyWhatItTakes() {
        alpha.structured("no-such-handler", orderPaid("lost", "c", 1)).isProblem(404, "not-found");
        assertThat(alpha.structured(LOYALTY, event("created", "order.created", "{}"))
                        .isProblem(400, "invalid-request")
                        .path("field")
                        .asString())
                .isEqualTo("type");
        assertThat(alpha.structured(LOYALTY, event("bare", "order.paid", "{\"customer\":\"c\"}"))
                        .isProblem(400, "invalid-request")
                        .path("field")
                        .asString())
                .isEqualTo("data.points");
        assertThat(outcome(alpha.structured(AUDIT, event("created", "order.created", "{}"))))
                .isEqualTo("applied");
        assertThat(outcomes("created")).containsExactly("invalid", "applied");
    }

    @Test
    void bothModesOfHttpAreOneMessage() {
        alpha.structured(LOYALTY, orderPaid("both-modes", "c-6", 3)).hasStatus(200);

        Answer binary = alpha.send(
                LOYALTY,
                "{ \"points\": 3, \"customer\": \"c-6\" }".getBytes(StandardCharsets.UTF_8),
                "Content-Type",
                "application/json; charset=utf-8",
                "ce-specversion",
                "1.0",
                "ce-id",
                "both-modes",
                "ce-source",
                "/shop",
                "ce-type",
                "order.paid",
                "ce-traceparent",
                "00-another-hop");

        assertThat(outcome(binary)).isEqualTo("duplicate");
        assertThat(balance(Key.ALPHA, "points:c-6")).isEqualTo(3);
    }

    @Test
    void whatIsNoMessageIsRefusedAndNotRecorded() {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        alpha.structured(AUDIT, "{\"id\":").isProblem(400, "invalid-request");
        alpha.structured(AUDIT, event("two words", "order.created", "1")).isProblem(400, "invalid-request");
        alpha.structured(AUDIT, event("nul", "order.created", "\"\\u0000\"")).isProblem(400, "invalid-request");
        alpha.send(AUDIT, body, "Content-Type", "application/json").isProblem(400, "invalid-request");
        alpha.send(AUDIT, body, "Content-Type", "application/cloudevents-batch+json")
                .isProblem(415, "unsupported-media-type");
        alpha.structured(AUDIT, event("text", "order.created", "\"a\",\"datacontenttype\":\"text/plain\""))
                .isProblem(415, "unsupported-media-type");

        assertThat(count("inbox where event_id in ('nul', 'text')")).isZero();
        assertThat(outcomes("nul")).isEmpty();
    }

    @Test
    void aMessageHasALimitOf256KB() {
        String fitting = "x".repeat(255 * 1024);
        String data = "\"" + fitting + "\"";

        assertThat(outcome(alpha.structured(AUDIT, event("large", "order.created", data))))
                .isEqualTo("applied");
        alpha.structured(AUDIT, event("large", "order.created", "\"y" + fitting.substring(1) + "\""))
                .isProblem(409, "operation-conflict");
        alpha.structured(AUDIT, event("too-large", "order.created", "\"" + fitting + "x".repeat(1024) + "\""))
                .isProblem(413, "payload-too-large");

        assertThat(ledger.jdbc()
                        .queryForObject("select content from order_audit where event_id = 'large'", String.class))
                .contains(fitting);
        assertThat(count("inbox where event_id = 'too-large'")).isZero();
    }

    @Test
    void pointsBeyondTheNumbersOfJsonComeAsAString() {
        String data = "{\"customer\":\"c-7\",\"points\":\"9007199254740993\"}";

        assertThat(outcome(alpha.structured(LOYALTY, event("many", "order.paid", data))))
                .isEqualTo("applied");
        assertThat(balance(Key.ALPHA, "points:c-7")).isEqualTo(9007199254740993L);
        alpha.structured(LOYALTY, event("more", "order.paid", data.replace("\"9007199254740993\"", "9007199254740993")))
                .isProblem(400, "invalid-request");
    }

    @Test
    void onlyAWriterMayDeliver() {
        new Sender(ledger, Key.ALPHA_READER)
                .structured(AUDIT, event("read-only", "order.created", "{}"))
                .isProblem(403, "forbidden");
        assertThat(count("inbox where event_id = 'read-only'")).isZero();
    }

    private static String outcome(Answer answer) {
        return answer.hasStatus(200).json().path("outcome").asString();
    }

    private long balance(Key key, String account) {
        long sequence = ledger.storedOperations(key, account);
        return ledger.client(key)
                .get("/v1/accounts/" + account + "?atLeast=" + sequence)
                .hasStatus(200)
                .json()
                .path("balance")
                .asLong();
    }

    private long count(String tableAndCondition) {
        return ledger.jdbc().queryForObject("select count(*) from " + tableAndCondition, Long.class);
    }

    private List<String> outcomes(String eventId) {
        return ledger.bean(Deliveries.class).find("alpha", eventId).stream()
                .map(Delivery::outcome)
                .toList();
    }
}
