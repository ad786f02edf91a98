package dev.ledger.app.trace;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

@OnBothDatabases
class TraceIT {

    private static final String EVENT = """
            {"specversion":"1.0","id":"%s","source":"/shop","type":"order.paid",%s"data":{"customer":"%s","points":%s}}""";

    private final RunningLedger ledger;
    private final LedgerClient alpha;

    TraceIT(RunningLedger ledger) {
        this.ledger = ledger;
        this.alpha = ledger.client(Key.ALPHA);
    }

    @Test
    void oneLookShowsTheFactAndEachDeliveryOfItsMessage() {
        String operationId = deliver("loyalty-points", "seen", "", "t-1", 5)
                .path("result")
                .path("operationId")
                .asString();
        deliver("loyalty-points", "seen", "", "t-1", 5);
        deliver("order-audit", "seen", "", "t-1", 5);
        deliver("loyalty-points", "seen", "", "t-1", 6);

        await().atMost(10, SECONDS)
                .untilAsserted(() -> assertThat(deliveries(operationId))
                        .containsExactlyInAnyOrder(
                                tuple("loyalty-points", "1", "applied"),
                                tuple("loyalty-points", "1", "duplicate"),
                                tuple("order-audit", "1", "applied"),
                                tuple("loyalty-points", "1", "conflict"),
                                tuple("account-balances", "1", "applied"),
                                tuple("account-operations", "1", "applied")));
        JsonNode trace = trace(operationId);
        assertThat(trace.path("fact").path("delta").asLong()).isEqualTo(5);
        assertThat(trace.path("fact").path("account").asString()).isEqualTo("points:t-1");
        assertThat(trace.path("fact").path("causedBy").asString()).isEqualTo("seen");
        assertThat(trace.path("sendAttempts").isArray()).isTrue();
        assertThat(trace("seen")).as("the same, asked by the message's id").isEqualTo(trace);
    }

    @Test
    void theStoryOfARequestAndOfAMessageTravelsWithTheEvent() {
        String body = "{\"delta\":5,\"causedBy\":\"earlier\"}";
        alpha.send(
                        "PUT",
                        "/v1/accounts/t-2/operations/told",
                        body.getBytes(StandardCharsets.UTF_8),
                        "Content-Type",
                        "application/json",
                        "X-Correlation-Id",
                        "story-1")
                .hasStatus(201);
        assertStory(trace("told").path("fact"), "story-1", "told", "earlier");

        alpha.apply("t-2", "untold", 1).hasStatus(201);
        assertThat(trace("untold").path("fact").path("correlationId").asString())
                .isEqualTo("untold");

        deliver("loyalty-points", "in-a-story", "\"correlationid\":\"story-2\",\"causationid\":\"click\",", "t-3", 5);
        assertStory(trace("in-a-story").path("fact"), "story-2", "in-a-story", "in-a-story");

        deliver("loyalty-points", "without-story", "", "t-3", 5);
        assertStory(trace("without-story").path("fact"), "without-story", "without-story", "without-story");
    }

    @Test
    void aStoryMustHaveAnIdentifier() {
        for (String header : List.of("two words", "a/b", "x".repeat(129))) {
            JsonNode problem = alpha.send(
                            "PUT",
                            "/v1/accounts/t-4/operations/unstored",
                            "{\"delta\":5}".getBytes(StandardCharsets.UTF_8),
                            "Content-Type",
                            "application/json",
                            "X-Correlation-Id",
                            header)
                    .isProblem(400, "invalid-request");
            assertThat(problem.path("field").asString()).isEqualTo("X-Correlation-Id");
        }
        assertThat(ledger.storedOperations(Key.ALPHA, "t-4")).isZero();
    }

    @Test
    void aMessageThatChangedNoAccountHasDeliveriesAndNoFact() {
        deliver("order-audit", "audited", "", "t-5", 5);

        JsonNode trace = trace("audited");

        assertThat(trace.has("fact")).isFalse();
        assertThat(deliveries("audited")).containsExactly(tuple("order-audit", "1", "applied"));
    }

    @Test
    void anotherTenantSeesNoDifferenceBetweenHiddenAndAbsent() {
        alpha.apply("t-6", "hidden", 1).hasStatus(201);
        LedgerClient beta = ledger.client(Key.BETA);

        String hidden = beta.get("/v1/operations/hidden/trace").hasStatus(404).text();
        String absent = beta.get("/v1/operations/absent/trace").hasStatus(404).text();

        assertThat(hidden).isEqualTo(absent);
    }

    @Test
    void repeatedDeliveriesToAProjectionAreCountedInOneRow() {
        alpha.apply("t-7", "repeated", 1).hasStatus(201);
        alpha.get("/v1/accounts/t-7?atLeast=1").hasStatus(200);

        deliverAgain("account-balances");

        await().atMost(20, SECONDS)
                .untilAsserted(() -> assertThat(deliveries("repeated"))
                        .contains(
                                tuple("account-balances", "1", "applied"),
                                tuple("account-balances", "1", "duplicate")));
        assertThat(alpha.get("/v1/accounts/t-7").json().path("balance").asLong())
                .isEqualTo(1);
        assertThat(ledger.jdbc()
                        .queryForObject(
                                "select max(repeats) from handled_event_repeat where handler = 'account-balances'",
                                Long.class))
                .isEqualTo(1);
    }

    /** Moves the tokens back behind the processor's back: no reset, so the handler has not forgotten. */
    private void deliverAgain(String processor) {
        StreamingEventProcessor events = ledger.bean(EventProcessingConfiguration.class)
                .eventProcessor(processor, StreamingEventProcessor.class)
                .orElseThrow();
        events.shutDown();
        new TransactionTemplate(ledger.bean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> ledger.jdbc()
                        .update(
                                "update token_entry set token = null, token_type = null where processor_name = ?",
                                processor));
        events.start();
    }

    private JsonNode deliver(String handler, String id, String more, String customer, long points) {
        String event = EVENT.formatted(id, more, customer, points);
        return alpha.send(
                        "POST",
                        "/v1/inbox/" + handler,
                        event.getBytes(StandardCharsets.UTF_8),
                        "Content-Type",
                        "application/cloudevents+json")
                .json();
    }

    private JsonNode trace(String id) {
        return alpha.get("/v1/operations/" + id + "/trace").hasStatus(200).json();
    }

    private List<Tuple> deliveries(String id) {
        return trace(id)
                .path("deliveries")
                .valueStream()
                .map(delivery -> tuple(
                        delivery.path("handler").asString(),
                        delivery.path("handlerVersion").asString(),
                        delivery.path("outcome").asString()))
                .toList();
    }

    private static void assertStory(JsonNode fact, String correlationId, String causationId, String causedBy) {
        assertThat(fact.path("correlationId").asString()).isEqualTo(correlationId);
        assertThat(fact.path("causationId").asString()).isEqualTo(causationId);
        assertThat(fact.path("causedBy").asString()).isEqualTo(causedBy);
    }
}
