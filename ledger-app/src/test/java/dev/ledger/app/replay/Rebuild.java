package dev.ledger.app.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.RunningLedger;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

/** What an operator does with replays, and what the read models hold afterwards. */
final class Rebuild {

    private static final String BOTH =
            "{\"handlers\":[\"account-balances\",\"account-operations\"],\"mode\":\"rebuild\"}";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RunningLedger ledger;
    private final LedgerClient operator;
    private final JdbcTemplate jdbc;

    Rebuild(RunningLedger ledger) {
        this.ledger = ledger;
        this.operator = ledger.client(Key.ALPHA);
        this.jdbc = ledger.jdbc();
    }

    /** Some accounts with some operations each, all of them in the read models. */
    void someHistory(String prefix, int accounts, int operationsEach) {
        String lines = IntStream.range(0, accounts * operationsEach)
                .mapToObj(i -> "{\"account\":\"%s-%d\",\"operationId\":\"%s-op-%d\",\"delta\":%d,\"memo\":\"é %d\"}"
                        .formatted(prefix, i % accounts, prefix, i, i % 7, i))
                .collect(Collectors.joining("\n"));
        operator.batch(lines).hasStatus(200);
        awaitCaughtUp();
    }

    void awaitCaughtUp() {
        long events = ledger.storedOperations();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(jdbc.queryForList(
                                "select count(*) from handled_event"
                                        + " where handler in ('account-balances', 'account-operations') group by handler",
                                Long.class))
                        .allMatch(handled -> handled == events)
                        .hasSize(events == 0 ? 0 : 2));
    }

    /** Every column of every row, in the order of the keys. */
    List<String> readModels() {
        return List.of(
                        "account_balance order by tenant, account",
                        "account_operation order by tenant, account, sequence")
                .stream()
                .flatMap(table -> jdbc.queryForList("select * from " + table).stream())
                .map(Object::toString)
                .toList();
    }

    JsonNode plan() {
        return operator.send("POST", "/v1/replays", BOTH.getBytes(), "Content-Type", "application/json")
                .hasStatus(201)
                .json();
    }

    /** Plans, starts, waits, and returns the report. */
    JsonNode rebuild() {
        String path = "/v1/replays/" + plan().path("id").asString();
        operator.send("POST", path + "/start", null).hasStatus(200);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(operator.get(path).json().path("state").asString())
                                .isEqualTo("completed"));
        return operator.get(path + "/report").hasStatus(200).json();
    }
}
