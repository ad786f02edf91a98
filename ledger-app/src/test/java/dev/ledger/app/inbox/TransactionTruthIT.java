package dev.ledger.app.inbox;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.domain.balance.EventIdentity;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Inbox row, business change, event and result are one commit, and an answer comes after it (C1, C2, C5). Told by the
 * database: on PostgreSQL by the transaction that wrote each row, on H2 by the session that holds each table at the
 * moment of the commit, and on both by what is left when the commit fails.
 */
@OnBothDatabases(properties = {FaultyHandlers.SOURCES, "spring.datasource.hikari.maximum-pool-size=5"})
class TransactionTruthIT {

    private final RunningLedger ledger;
    private final Sender alpha;
    private final CommitFaults commits;

    TransactionTruthIT(RunningLedger ledger) {
        this.ledger = ledger;
        this.alpha = new Sender(ledger, Key.ALPHA);
        this.commits = ledger.bean(CommitFaults.class);
    }

    @BeforeEach
    void createTable() throws SQLException {
        try (Connection connection = ledger.database().connect()) {
            FaultyHandlers.createTable(connection);
        }
    }

    @Test
    void everythingThatAMessageDoesIsOneTransaction() throws Exception {
        assertThat(isOneTransaction("sound", "truth")).isTrue();
    }

    /** Proves the proof: each of these writes elsewhere, and is found out. */
    @ParameterizedTest
    @ValueSource(strings = {"hand-opened", "second-source", "handed-off"})
    void aWriteThatIsNotPartOfTheTransactionIsFoundOut(String handler) throws Exception {
        assertThat(isOneTransaction(handler, "elsewhere-" + handler)).isFalse();
    }

    @Test
    void aCommitThatFailsAfterTheHandlerReturnedLeavesNothingAndIsNoSuccess() {
        commits.refuseNext();
        deliver("sound", "refused", "late").isProblem(503, "storage-unavailable");

        assertThat(rowsOf("sound", "refused")).isEqualTo(List.of(0L, 0L, 0L));
        assertThat(outcomes("refused")).containsExactly("failed");

        assertThat(outcome(deliver("sound", "refused", "late"))).isEqualTo("applied");
        assertThat(outcomes("refused")).containsExactly("failed", "applied");
        assertThat(rowsOf("sound", "refused")).isEqualTo(List.of(1L, 1L, 1L));
        assertThat(result("sound", "refused")).isEqualTo("{\"balance\":1}");
    }

    /** Proves the proof: what a hand-opened connection wrote outlives the commit that failed. */
    @Test
    void aFailedCommitFindsOutAHandOpenedConnection() {
        commits.refuseNext();
        deliver("hand-opened", "outlives", "outlives").isProblem(503, "storage-unavailable");

        assertThat(rowsOf("hand-opened", "outlives")).isEqualTo(List.of(0L, 1L, 0L));
    }

    @Test
    void aCommitWhoseAnswerIsLostIsLookedUpAndNotRedone() {
        commits.loseNextAnswer();
        Answer answer = deliver("sound", "lost-answer", "lost");

        assertThat(outcome(answer)).isEqualTo("duplicate");
        assertThat(answer.json().path("result").path("balance").asLong()).isEqualTo(1);
        assertThat(rowsOf("sound", "lost-answer")).isEqualTo(List.of(1L, 1L, 1L));
        assertThat(ledger.storedOperations(Key.ALPHA, "lost")).isEqualTo(1);
    }

    @Test
    void theAnswerComesAfterTheCommit() throws Exception {
        Future<Answer> answer;
        try (CommitFaults.Hold commit = commits.holdNext()) {
            answer = CompletableFuture.supplyAsync(() -> deliver("sound", "held", "held"));
            commit.awaitReached();

            assertThat(answer).isNotDone();
            assertThat(rowsOf("sound", "held")).isEqualTo(List.of(0L, 0L, 0L));
        }
        assertThat(outcome(answer.get(10, SECONDS))).isEqualTo("applied");
        assertThat(rowsOf("sound", "held")).isEqualTo(List.of(1L, 1L, 1L));
    }

    @Test
    void aSwallowedExceptionIsNoSuccess() {
        assertThat(deliver("swallowing", "swallowed", "swallowed").status()).isEqualTo(500);

        assertThat(rowsOf("swallowing", "swallowed")).isEqualTo(List.of(0L, 0L, 0L));
        assertThat(outcomes("swallowed")).containsExactly("failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"unique", "check", "length", "null"})
    void anotherConstraintIsNoDuplicate(String constraint) {
        String id = "violates-" + constraint;
        String event = """
                {"specversion":"1.0","id":"%s","source":"/test","type":"test","subject":"%s","data":{"account":"%s"}}""".formatted(id, constraint, id);

        alpha.structured("violating", event).isProblem(500, "integrity-violation");
        alpha.structured("violating", event).isProblem(500, "integrity-violation");

        assertThat(rowsOf("violating", id)).isEqualTo(List.of(0L, 0L, 0L));
        assertThat(outcomes(id)).containsExactly("failed", "failed");
    }

    @Test
    void aHandlerMayChangeNoAccountThatItHasNotAnnounced() {
        deliver("straying", "strayed", "announced").isProblem(500, "internal-error");

        assertThat(ledger.storedOperations(Key.ALPHA, "another")).isZero();
        assertThat(rowsOf("straying", "strayed")).isEqualTo(List.of(0L, 0L, 0L));
    }

    @Test
    void aMessageThatAnotherTransactionHoldsIsInProgressUntilThatEnds() throws Exception {
        try (Connection other = ledger.database().connect()) {
            other.setAutoCommit(false);
            hold(other, "sound", "busy");

            Answer answer = deliver("sound", "busy", "busy");
            answer.isProblem(409, "operation-in-progress");
            assertThat(answer.header("Retry-After")).isNotEmpty();
            assertThat(outcomes("busy")).containsExactly("in-progress");

            // The other one crashes: its claim ends with its transaction (K34).
            other.rollback();
        }
        assertThat(outcome(deliver("sound", "busy", "busy"))).isEqualTo("applied");
        assertThat(outcomes("busy")).containsExactly("in-progress", "applied");
    }

    @Test
    void aMessageThatAnotherTransactionCompletesMeanwhileIsJudgedByWhatThatStored() throws Exception {
        try (Connection other = ledger.database().connect()) {
            other.setAutoCommit(false);
            hold(other, "sound", "raced");
            CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> deliver("sound", "raced", "raced"));
            awaitBlocked();
            other.commit();

            assertThat(answer.get(10, SECONDS)
                            .isProblem(409, "operation-conflict")
                            .path("storedDigest")
                            .asString())
                    .isEqualTo("sha-256:of-another");
        }
        assertThat(ledger.storedOperations(Key.ALPHA, "raced")).isZero();
        assertThat(count("note where event_id = 'raced'")).isZero();
    }

    @Test
    void aHundredDuplicatesAtOnceMakeProgressOnAPoolOfFive() throws Exception {
        List<String> outcomes = inParallel(100, number -> deliver("sound", "hundred", "hundred")).stream()
                .map(TransactionTruthIT::outcome)
                .sorted()
                .toList();

        assertThat(outcomes.subList(0, 1)).containsExactly("applied");
        assertThat(outcomes.subList(1, 100)).containsOnly("duplicate");
        assertThat(rowsOf("sound", "hundred")).isEqualTo(List.of(1L, 1L, 1L));
        assertThat(count("delivery where event_id = 'hundred' and outcome = 'duplicate'"))
                .isEqualTo(99);
    }

    @Test
    void manyWorkersWithScatteredFailuresEndWithExactBalances() throws Exception {
        int workers = 64;
        int messagesEach = 16;
        AtomicInteger failures = new AtomicInteger();
        Set<String> failed = ConcurrentHashMap.newKeySet();
        Set<String> meantToFail = ConcurrentHashMap.newKeySet();
        inParallel(workers, worker -> {
            Answer last = null;
            for (int i = 0; i < messagesEach; i++) {
                String id = "soak-" + worker + "-" + i;
                if (FaultyHandlers.failsAtFirst(id)) {
                    meantToFail.add(id);
                }
                do {
                    last = deliver("flaky", id, "soak-" + i % 4);
                    if (last.status() != 200) {
                        failures.incrementAndGet();
                        failed.add(id);
                    }
                } while (last.status() != 200);
                assertThat(outcome(last))
                        .as("a failed delivery is no reason to call its retry a duplicate")
                        .isEqualTo("applied");
            }
            return last;
        });

        assertThat(failed).isNotEmpty().isEqualTo(meantToFail);
        for (int account = 0; account < 4; account++) {
            assertThat(ledger.storedOperations(Key.ALPHA, "soak-" + account)).isEqualTo(workers * messagesEach / 4);
        }
        assertThat(count("note where event_id like 'soak-%'")).isEqualTo(workers * messagesEach);
        assertThat(count("inbox where event_id like 'soak-%'")).isEqualTo(workers * messagesEach);
        assertThat(count("delivery where event_id like 'soak-%' and outcome = 'failed'"))
                .isEqualTo(failures.get());
    }

    private Answer deliver(String handler, String id, String account) {
        return alpha.structured(handler, Sender.event(id, "test", "{\"account\":\"" + account + "\"}"));
    }

    private static String outcome(Answer answer) {
        return answer.hasStatus(200).json().path("outcome").asString();
    }

    private boolean isOneTransaction(String handler, String id) throws Exception {
        return switch (ledger.database().kind()) {
            case POSTGRESQL -> transactionsThatWrote(handler, id).size() == 1;
            case H2 -> tablesOfTheCommittingSession(handler, id).equals(Set.of("INBOX", "NOTE", "DOMAIN_EVENT"));
        };
    }

    /** PostgreSQL keeps with each row which transaction inserted it. */
    private Set<String> transactionsThatWrote(String handler, String id) {
        assertThat(outcome(deliver(handler, id, id))).isEqualTo("applied");
        assertThat(rowsOf(handler, id)).isEqualTo(List.of(1L, 1L, 1L));
        Set<String> transactions = new HashSet<>();
        for (String row : rows(handler, id)) {
            transactions.addAll(ledger.jdbc().queryForList("select xmin::text from " + row, String.class));
        }
        return transactions;
    }

    /** H2 tells which session has written to which table and has not ended. */
    private Set<String> tablesOfTheCommittingSession(String handler, String id) throws Exception {
        Future<Answer> answer;
        Set<String> tables = new HashSet<>();
        try (CommitFaults.Hold commit = commits.holdNext()) {
            answer = CompletableFuture.supplyAsync(() -> deliver(handler, id, id));
            commit.awaitReached();
            tables.addAll(ledger.jdbc()
                    .queryForList(
                            "select table_name from information_schema.locks where table_name in"
                                    + " ('INBOX', 'NOTE', 'DOMAIN_EVENT') and session_id = (select session_id from"
                                    + " information_schema.locks where table_name = 'INBOX')",
                            String.class));
        }
        assertThat(outcome(answer.get(10, SECONDS))).isEqualTo("applied");
        return tables;
    }

    private static List<String> rows(String handler, String id) {
        UUID event = UUID.fromString(
                EventIdentity.of("alpha", "apply-delta", InboxMessage.operationId("alpha", handler, id)));
        return List.of(
                "inbox where tenant = 'alpha' and handler = '" + handler + "' and event_id = '" + id + "'",
                "note where event_id = '" + id + "'",
                "domain_event where event_id = '" + event + "'");
    }

    /** How many rows of the inbox, of the business table and of the event store a message left. */
    private List<Long> rowsOf(String handler, String id) {
        return rows(handler, id).stream().map(this::count).toList();
    }

    private long count(String tableAndCondition) {
        return ledger.jdbc().queryForObject("select count(*) from " + tableAndCondition, Long.class);
    }

    private String result(String handler, String id) {
        return ledger.jdbc()
                .queryForObject("select result from " + rows(handler, id).get(0), String.class);
    }

    private List<String> outcomes(String id) {
        return ledger.bean(Deliveries.class).find("alpha", id).stream()
                .map(Delivery::outcome)
                .toList();
    }

    private static void hold(Connection other, String handler, String id) {
        new JdbcTemplate(new SingleConnectionDataSource(other, true))
                .update(
                        "insert into inbox (tenant, handler, event_id, digest, handler_version, result, recorded_at)"
                                + " values ('alpha', ?, ?, 'sha-256:of-another', '7', '{}', current_timestamp)",
                        handler,
                        id);
    }

    /** Until a partition's insert has not come back for so long that it waits for somebody else. */
    private static void awaitBlocked() {
        await().atMost(5, SECONDS)
                .pollInterval(Duration.ofMillis(5))
                .during(Duration.ofMillis(60))
                .until(() -> Thread.getAllStackTraces().values().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch(frame -> frame.getClassName().equals(InboxTable.class.getName())
                                && frame.getMethodName().equals("insert")));
    }

    private interface Worker {
        Answer work(int number);
    }

    private static List<Answer> inParallel(int workers, Worker worker) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int number = i;
                answers.add(threads.submit(() -> worker.work(number)));
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
}
