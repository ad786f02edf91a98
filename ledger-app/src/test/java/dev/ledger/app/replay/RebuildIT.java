package dev.ledger.app.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.EventProcessor;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

@OnBothDatabases
class RebuildIT {

    private final RunningLedger ledger;
    private final LedgerClient operator;
    private final JdbcTemplate jdbc;
    private final Rebuild rebuild;

    RebuildIT(RunningLedger ledger) {
        this.ledger = ledger;
        this.operator = ledger.client(Key.ALPHA);
        this.jdbc = ledger.jdbc();
        this.rebuild = new Rebuild(ledger);
    }

    @Test
    void aRebuildTwiceInARowGivesByteIdenticalReadModels() { // E2, K12
        rebuild.someHistory("identical", 20, 50);
        List<String> before = rebuild.readModels();

        JsonNode report = rebuild.rebuild();
        rebuild.rebuild();

        assertThat(rebuild.readModels()).isEqualTo(before).hasSizeGreaterThan(1000);
        assertThat(report.path("stateDifferences").size()).isZero();
        assertThat(report.path("uniqueFacts").asLong()).isEqualTo(ledger.storedOperations());
        assertThat(report.path("applied").asLong()).isEqualTo(2 * ledger.storedOperations());
        assertThat(report.path("duplicates").asLong()).isZero();
        assertThat(report.path("requestedBy").asString()).isEqualTo("alpha");
    }

    @Test
    void whileAReadModelIsRebuiltReadersAreToldToComeBackAndNeverThatAnAccountIsNotThere() { // K46
        rebuild.someHistory("seen", 2, 3);
        List<String> reads = List.of(
                "/v1/accounts",
                "/v1/accounts/seen-0",
                "/v1/accounts/seen-0?asOf=2100-01-01T00:00:00Z",
                "/v1/accounts/seen-0/operations");
        List<String> before = reads.stream()
                .map(path -> operator.get(path).hasStatus(200).text())
                .toList();
        processors().forEach(EventProcessor::shutDown);
        processors().forEach(processor -> ((StreamingEventProcessor) processor).resetTokens());

        for (String path : reads) {
            Answer answer = operator.get(path);
            answer.isProblem(503, "projection-behind");
            assertThat(answer.header("Retry-After")).isEqualTo("1");
        }
        operator.get("/v1/accounts/never-seen").isProblem(503, "projection-behind");

        processors().forEach(EventProcessor::start);
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(reads.stream()
                                .map(path -> operator.get(path).hasStatus(200).text())
                                .toList())
                        .isEqualTo(before));
        operator.get("/v1/accounts/never-seen").isProblem(404, "not-found");
    }

    @Test
    void aGapThatIsFilledLateHasNoSecondEffect() { // K11
        processors().forEach(EventProcessor::shutDown);
        operator.apply("late", "late-1", 5).hasStatus(201);
        operator.apply("after", "after-1", 7).hasStatus(201);
        inTransaction(
                "create table late_event as select * from domain_event where aggregate_identifier = 'alpha/late'");
        inTransaction("delete from domain_event where aggregate_identifier = 'alpha/late'");
        processors().forEach(EventProcessor::start);
        rebuild.awaitCaughtUp();

        rebuild.rebuild();
        inTransaction("insert into domain_event (global_index, event_id, aggregate_identifier, sequence_number,"
                + " aggregate_type, payload_type, payload_revision, recorded_at, metadata, payload)"
                + " overriding system value select global_index, event_id, aggregate_identifier, sequence_number,"
                + " aggregate_type, payload_type, payload_revision, recorded_at, metadata, payload from late_event");
        rebuild.awaitCaughtUp();
        rebuild.rebuild();

        assertThat(jdbc.queryForMap("select balance, sequence, operations from account_balance where account = 'late'")
                        .values())
                .containsExactly(5L, 1L, 1L);
        assertThat(jdbc.queryForObject("select count(*) from account_operation where account = 'late'", Long.class))
                .isEqualTo(1);
    }

    @Test
    void aPlanCountsAndChangesNothing() { // E1
        rebuild.someHistory("planned", 2, 3);
        List<String> before = rebuild.readModels();

        JsonNode plan = rebuild.plan().path("plan");

        assertThat(plan.path("events").asLong()).isEqualTo(ledger.storedOperations());
        assertThat(plan.path("byType").path("ledger.delta-applied").asLong()).isEqualTo(ledger.storedOperations());
        assertThat(plan.path("byTenant").path("alpha").asLong()).isEqualTo(ledger.storedOperations());
        assertThat(rebuild.readModels()).isEqualTo(before);
    }

    @Test
    void aHandlerIsRebuiltByOneJobAtATime() { // E7
        UUID other = UUID.fromString(rebuild.plan().path("id").asString());
        String mine = rebuild.plan().path("id").asString();
        transaction()
                .executeWithoutResult(status -> jdbc.update(
                        "insert into replay_claim (handler, job_id, phase, renewed_at)"
                                + " values ('account-balances', ?, 'replaying', current_timestamp)",
                        other));
        try {
            operator.send("POST", "/v1/replays/" + mine + "/start", null).isProblem(409, "handler-in-replay");
            assertThat(operator.get("/v1/replays/" + mine).json().path("state").asString())
                    .isEqualTo("planned");
        } finally {
            transaction()
                    .executeWithoutResult(status -> jdbc.update("delete from replay_claim where job_id = ?", other));
        }
    }

    @Test
    void whatThereIsNotIsRefused() {
        replay("{\"handlers\":[\"nobody\"],\"mode\":\"rebuild\"}").isProblem(400, "invalid-request");
        replay("{\"handlers\":[],\"mode\":\"rebuild\"}").isProblem(400, "invalid-request");
        replay("{\"handlers\":[\"account-balances\"],\"mode\":\"again\"}").isProblem(400, "invalid-request");
        replay("{").isProblem(400, "invalid-request");
        operator.get("/v1/replays/" + UUID.randomUUID()).isProblem(404, "not-found");
        operator.get("/v1/replays/x").isProblem(400, "invalid-request");
        ledger.client(Key.ALPHA_WRITER)
                .send("POST", "/v1/replays", "{}".getBytes(), "Content-Type", "application/json")
                .isProblem(403, "forbidden");
    }

    @Test
    void handlersAreListedWithTheirLag() {
        rebuild.someHistory("listed", 1, 1);

        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            JsonNode items = operator.get("/v1/handlers").hasStatus(200).json().path("items");
            assertThat(items.findValuesAsString("name")).contains("account-balances", "account-operations");
            assertThat(items.findValuesAsString("state")).containsOnly("running");
            assertThat(items.findValuesAsString("kind")).contains("projection");
        });
    }

    private Answer replay(String body) {
        return operator.send("POST", "/v1/replays", body.getBytes(), "Content-Type", "application/json");
    }

    private List<EventProcessor> processors() {
        return List.copyOf(ledger.bean(EventProcessingConfiguration.class)
                .eventProcessors()
                .values());
    }

    private TransactionTemplate transaction() {
        return new TransactionTemplate(ledger.bean(PlatformTransactionManager.class));
    }

    private void inTransaction(String statement) {
        transaction().executeWithoutResult(status -> jdbc.execute(statement));
    }
}
