package dev.ledger.app.inbox;

import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.store.Database;
import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.app.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Two instances on one database receive the same messages at the same moment. */
class TwoInstancesIT {

    private static final int MESSAGES = 200;
    private static final int DELIVERIES_EACH = 8;

    @Test
    void eachMessageTakesEffectOnceWhereverItIsDelivered() throws Exception {
        try (TestDatabase database = TestDatabase.create(Database.POSTGRESQL);
                RunningLedger first = RunningLedger.start(database);
                RunningLedger second = RunningLedger.start(database)) {
            Map<String, Long> outcomes = deliverEverywhere(first, second).stream()
                    .map(answer -> answer.hasStatus(200).json().path("outcome").asString())
                    .collect(groupingBy(outcome -> outcome, counting()));

            assertThat(outcomes.get("applied")).isEqualTo(2L * MESSAGES);
            assertThat(outcomes.get("duplicate")).isEqualTo(2L * MESSAGES * (DELIVERIES_EACH - 1));
            assertThat(first.storedOperations()).isEqualTo(MESSAGES);
            assertThat(count(first, "order_audit")).isEqualTo(MESSAGES);
            assertThat(count(first, "inbox")).isEqualTo(2 * MESSAGES);
            assertThat(count(first, "delivery")).isEqualTo(2 * MESSAGES * (DELIVERIES_EACH - 1));
            assertThat(first.client(Key.ALPHA)
                            .get("/v1/accounts/points:shared?atLeast=" + MESSAGES)
                            .json()
                            .path("balance")
                            .asLong())
                    .isEqualTo(MESSAGES);
        }
    }

    private static List<Answer> deliverEverywhere(RunningLedger first, RunningLedger second) throws Exception {
        List<Sender> senders = List.of(new Sender(first, Key.ALPHA), new Sender(second, Key.ALPHA));
        ExecutorService threads = Executors.newFixedThreadPool(32);
        try {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int message = 0; message < MESSAGES; message++) {
                String event = Sender.orderPaid("event-" + message, "shared", 1);
                for (int delivery = 0; delivery < DELIVERIES_EACH; delivery++) {
                    Sender sender = senders.get(delivery % 2);
                    answers.add(threads.submit(() -> sender.structured("loyalty-points", event)));
                    answers.add(threads.submit(() -> sender.structured("order-audit", event)));
                }
            }
            List<Answer> done = new ArrayList<>();
            for (Future<Answer> answer : answers) {
                done.add(answer.get(60, SECONDS));
            }
            return done;
        } finally {
            threads.shutdownNow();
        }
    }

    private static long count(RunningLedger ledger, String table) {
        return ledger.jdbc().queryForObject("select count(*) from " + table, Long.class);
    }
}
