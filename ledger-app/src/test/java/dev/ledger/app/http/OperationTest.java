package dev.ledger.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@OnBothDatabases
class OperationTest {

    private static final String REPLAYED = "Idempotent-Replayed";

    private final RunningLedger ledger;
    private final LedgerClient alpha;

    OperationTest(RunningLedger ledger) {
        this.ledger = ledger;
        this.alpha = ledger.client(Key.ALPHA);
    }

    @Test
    void theFirstTimeIsCreatedAndTheReceiptHoldsTheWholeContent() {
        Instant before = Instant.now().minusMillis(1);

        Answer answer = alpha.put("whole", "whole-1", """
                {"delta": 1250, "memo": "rent", "occurredAt": "2026-01-01T02:00:00+02:00",
                 "causedBy": "earlier", "attributes": {"b": "2", "a": "1"}}""");

        JsonNode receipt = answer.hasStatus(201).json();
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.header(REPLAYED)).isEmpty();
        assertThat(receipt.propertyNames())
                .containsExactlyInAnyOrder(
                        "account",
                        "operationId",
                        "delta",
                        "balance",
                        "sequence",
                        "digest",
                        "handlerVersion",
                        "recordedAt",
                        "occurredAt",
                        "memo",
                        "causedBy",
                        "attributes",
                        "eventId");
        assertThat(receipt.path("account").asString()).isEqualTo("whole");
        assertThat(receipt.path("operationId").asString()).isEqualTo("whole-1");
        assertThat(receipt.path("delta").asLong()).isEqualTo(1250);
        assertThat(receipt.path("balance").asLong()).isEqualTo(1250);
        assertThat(receipt.path("sequence").asLong()).isEqualTo(1);
        assertThat(receipt.path("digest").asString()).matches("sha-256:[0-9a-f]{64}");
        assertThat(Instant.parse(receipt.path("recordedAt").asString())).isBetween(before, Instant.now());
        assertThat(receipt.path("occurredAt").asString()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(receipt.path("memo").asString()).isEqualTo("rent");
        assertThat(receipt.path("causedBy").asString()).isEqualTo("earlier");
        assertThat(receipt.path("attributes").toString()).isEqualTo("{\"a\":\"1\",\"b\":\"2\"}");
        assertThat(ledger.jdbc()
                        .queryForObject(
                                "select cast(event_id as varchar(36)) from domain_event"
                                        + " where aggregate_identifier = 'alpha/whole'",
                                String.class))
                .isEqualTo(receipt.path("eventId").asString());
    }

    @Test
    void absentValuesAreLeftOutOfTheReceipt() {
        assertThat(alpha.apply("bare", "bare-1", 1).json().propertyNames())
                .doesNotContain("occurredAt", "memo", "causedBy", "attributes");
    }

    /** K01, seen from outside. */
    @Test
    void everyRetryAnswersTheFirstReceiptByteForByteAlthoughTheBalanceHasMoved() {
        Answer first = alpha.put("late", "late-1", "{\"delta\":100,\"memo\":\"caf\u00e9 \\u2028 \\ud83d\\ude00\"}");
        alpha.apply("late", "late-2", -70).hasStatus(201);

        for (int retry = 0; retry < 3; retry++) {
            Answer again = alpha.put("late", "late-1", "{\"delta\":100,\"memo\":\"caf\u00e9 \u2028 \ud83d\ude00\"}");
            assertThat(again.hasStatus(200).body()).isEqualTo(first.body());
            assertThat(again.header(REPLAYED)).isEqualTo("true");
        }
        assertThat(alpha.receipt("late", "late-1").hasStatus(200).body()).isEqualTo(first.body());
        assertThat(ledger.storedOperations(Key.ALPHA, "late")).isEqualTo(2);
    }

    @Test
    void aDebitThatIsLargerThanTodaysBalanceStillHasItsReceipt() {
        alpha.apply("spent", "spent-1", 100);
        Answer debit = alpha.apply("spent", "spent-2", -100).hasStatus(201);

        assertThat(alpha.apply("spent", "spent-2", -100).hasStatus(200).body()).isEqualTo(debit.body());
    }

    /** K02: the digests are told, the stored content is not. */
    @Test
    void theSameIdWithOtherContentIsAConflictThatRevealsNothing() {
        Answer first = alpha.put("conflict", "conflict-1", "{\"delta\":100,\"memo\":\"a secret matter\"}");

        Answer other = alpha.put("conflict", "conflict-1", "{\"delta\":101}");

        JsonNode problem = other.isProblem(409, "operation-conflict");
        assertThat(problem.path("storedDigest")).isEqualTo(first.json().path("digest"));
        assertThat(problem.path("offeredDigest").asString())
                .startsWith("sha-256:")
                .isNotEqualTo(first.json().path("digest").asString());
        assertThat(other.text()).doesNotContain("secret").doesNotContain("100").doesNotContain("recordedAt");
        assertThat(ledger.storedOperations(Key.ALPHA, "conflict")).isEqualTo(1);
    }

    @Test
    void theSameIdOnAnotherAccountOfTheTenantIsAConflict() {
        alpha.apply("one", "shared-id", 5).hasStatus(201);

        alpha.apply("two", "shared-id", 5).isProblem(409, "operation-conflict");

        assertThat(ledger.storedOperations(Key.ALPHA, "two")).isZero();
        alpha.receipt("two", "shared-id").isProblem(404, "not-found");
    }

    /** K04, second half. */
    @Test
    void equalContentUnderTwoIdsIsTwoOperations() {
        alpha.apply("equal", "equal-1", 30).hasStatus(201);
        Answer second = alpha.apply("equal", "equal-2", 30).hasStatus(201);

        assertThat(second.json().path("balance").asLong()).isEqualTo(60);
        assertThat(second.json().path("sequence").asLong()).isEqualTo(2);
        assertThat(ledger.storedOperations(Key.ALPHA, "equal")).isEqualTo(2);
    }

    /** K03. */
    @Test
    void aRejectionIsNoReceiptSoTheSameIdSucceedsOnceTheBalanceAllowsIt() {
        alpha.apply("poor", "poor-1", 50);

        JsonNode problem = alpha.apply("poor", "poor-2", -80).isProblem(422, "insufficient-balance");
        assertThat(problem.path("balance").asLong()).isEqualTo(50);
        assertThat(problem.path("delta").asLong()).isEqualTo(-80);
        assertThat(ledger.storedOperations(Key.ALPHA, "poor")).isEqualTo(1);
        alpha.receipt("poor", "poor-2").isProblem(404, "not-found");

        alpha.apply("poor", "poor-3", 50);
        Answer retry = alpha.apply("poor", "poor-2", -80).hasStatus(201);
        assertThat(retry.json().path("balance").asLong()).isEqualTo(20);
        assertThat(retry.json().path("sequence").asLong()).isEqualTo(3);
    }

    @Test
    void aBalanceReachesTheLargestNumberAndNotOneMore() {
        alpha.apply("rich", "rich-1", Long.MAX_VALUE).hasStatus(201);

        JsonNode problem = alpha.apply("rich", "rich-2", 1).isProblem(422, "balance-overflow");

        assertThat(problem.path("balance").asLong()).isEqualTo(Long.MAX_VALUE);
        assertThat(problem.path("delta").asLong()).isEqualTo(1);
        alpha.apply("rich", "rich-3", Long.MIN_VALUE).isProblem(422, "insufficient-balance");
        alpha.apply("rich", "rich-4", 0).hasStatus(201);
        alpha.apply("rich", "rich-5", -Long.MAX_VALUE).hasStatus(201);
        assertThat(ledger.storedOperations(Key.ALPHA, "rich")).isEqualTo(3);
    }

    @Test
    void theHeaderOfTheIetfDraftIsTheOperationIdBareOrQuoted() {
        Answer first = alpha.post("ietf", "{\"delta\":7}", "ietf-1").hasStatus(201);

        Answer quoted = alpha.post("ietf", "{\"delta\":7}", "\"ietf-1\"").hasStatus(200);
        assertThat(quoted.body()).isEqualTo(first.body());
        assertThat(quoted.header(REPLAYED)).isEqualTo("true");
        assertThat(alpha.apply("ietf", "ietf-1", 7).hasStatus(200).body()).isEqualTo(first.body());
        assertThat(ledger.storedOperations(Key.ALPHA, "ietf")).isEqualTo(1);
    }

    @Test
    void aConflictOnTheIetfFormIs422() {
        alpha.post("ietf-conflict", "{\"delta\":7}", "ietf-conflict-1").hasStatus(201);

        JsonNode problem =
                alpha.post("ietf-conflict", "{\"delta\":8}", "ietf-conflict-1").isProblem(422, "operation-conflict");

        assertThat(problem.path("storedDigest").asString()).startsWith("sha-256:");
        assertThat(ledger.storedOperations(Key.ALPHA, "ietf-conflict")).isEqualTo(1);
    }

    /** K04, first half: no id is ever made up. */
    @Test
    void withoutOneUsableIdempotencyKeyNothingIsApplied() {
        alpha.post("keyless", "{\"delta\":7}").isProblem(400, "invalid-request");
        alpha.post("keyless", "{\"delta\":7}", "k1", "k2").isProblem(400, "invalid-request");
        for (String unusable : new String[] {"", "\"\"", "\"", "\"half", "a b", "\"a\",\"b\"", "a/b", "a,b"}) {
            JsonNode problem = alpha.post("keyless", "{\"delta\":7}", unusable).isProblem(400, "invalid-request");
            assertThat(problem.path("field").asString()).isEqualTo("Idempotency-Key");
        }
        assertThat(ledger.storedOperations(Key.ALPHA, "keyless")).isZero();
    }

    @Test
    void anOperationThatNeverWasHasNoReceipt() {
        alpha.apply("known", "known-1", 1);

        alpha.receipt("known", "known-2").isProblem(404, "not-found");
        alpha.receipt("unknown", "known-2").isProblem(404, "not-found");
        alpha.receipt("unknown", "known-1").isProblem(404, "not-found");
    }
}
