package dev.ledger.app.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.fire.PostgresProxy.Fault;
import dev.ledger.app.store.Database;
import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.app.testing.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C5, C6: between "statements sent" and "commit answered" the connection to PostgreSQL is lost. */
class LostAnswersIT {

    private static TestDatabase database;
    private static TestDatabase proxied;
    private static PostgresProxy proxy;
    private static RunningLedger ledger;
    private static LedgerClient client;

    @BeforeAll
    static void start() throws IOException {
        database = TestDatabase.create(Database.POSTGRESQL);
        URI url = URI.create(database.url().substring("jdbc:".length()));
        proxy = new PostgresProxy(url.getPort());
        proxied = TestDatabase.at("jdbc:postgresql://localhost:" + proxy.port() + url.getPath()
                + "?sslmode=disable&gssEncMode=disable&prepareThreshold=0");
        ledger = RunningLedger.start(
                proxied,
                "ledger.commit.recovery-timeout=3s",
                "spring.datasource.hikari.connection-timeout=1000",
                "spring.datasource.hikari.data-source-properties.socketTimeout=2");
        client = ledger.client(Key.ALPHA);
    }

    @AfterAll
    static void stop() throws IOException {
        ledger.close();
        proxy.close();
        proxied.close();
        database.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"BREAK_BEFORE_COMMIT", "BREAK_AFTER_COMMIT", "SWALLOW_ANSWER"})
    void aGroupWhoseConnectionIsLostInTheCommitIsAppliedOnceAndAnsweredTruly(Fault fault) {
        String account = "lost-" + fault.name().toLowerCase();
        client.apply(account, account + "-in", 100).hasStatus(201);
        int before = proxy.spoilt();
        proxy.spoilNext(fault);
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String id = account + "-" + i;
            answers.add(CompletableFuture.supplyAsync(() -> client.apply(account, id, -10)));
        }
        List<Answer> all = answers.stream().map(CompletableFuture::join).toList();

        assertThat(proxy.spoilt()).isEqualTo(before + 1);
        assertThat(all.stream().filter(answer -> answer.status() < 300)).hasSize(10);
        assertThat(all.stream().filter(answer -> answer.status() == 422)).hasSize(10);
        Journal journal = Journal.read(database);
        assertThat(journal.of(account)).hasSize(11);
        assertThat(journal.balance(account)).isZero();
        for (int i = 0; i < 20; i++) {
            Answer again = client.apply(account, account + "-" + i, -10);
            assertThat(again.status()).isEqualTo(all.get(i).status() < 300 ? 200 : 422);
            if (again.status() == 200) {
                assertThat(again.text()).isEqualTo(all.get(i).text());
            }
        }
    }

    @Test
    void theOutcomeIsUnknownWhileNobodyCanTellAndTheRetryTells() {
        client.apply("unknown", "unknown-in", 100).hasStatus(201);
        proxy.spoilNext(Fault.BREAK_AND_REFUSE);
        Answer unknown = client.apply("unknown", "unknown-out", -80);
        Answer never = client.apply("unknown", "unknown-never", -1);
        proxy.accept();

        unknown.isProblem(503, "outcome-unknown");
        assertThat(unknown.header("Retry-After")).isNotEmpty();
        // Its transaction was begun on a connection of the pool that was dead already: that is no commit, or is it?
        assertThat(never.status()).isEqualTo(503);
        Answer told = client.apply("unknown", "unknown-out", -80).hasStatus(200);
        assertThat(told.json().path("balance").asLong()).isEqualTo(20);
        client.apply("unknown", "unknown-more", -80).isProblem(422, "insufficient-balance");
        client.apply("unknown", "unknown-never", -1).hasStatus(201);
        assertThat(Journal.read(database).of("unknown"))
                .extracting(Journal.Entry::operationId)
                .containsExactly("unknown-in", "unknown-out", "unknown-never");
    }

    /** The server still holds what the ledger has lost sight of: nobody may decide for it. */
    @Test
    void aTransactionThatTheServerStillHoldsIsInProgressUntilItEnds() {
        client.apply("frozen", "frozen-in", 100).hasStatus(201);
        proxy.spoilNext(Fault.SWALLOW_COMMIT);
        client.apply("frozen", "frozen-out", -80).isProblem(409, "operation-in-progress");
        proxy.breakAll();

        await().atMost(Duration.ofSeconds(20))
                .until(() -> client.apply("frozen", "frozen-out", -80).status() < 300);
        assertThat(Journal.read(database).balance("frozen")).isEqualTo(20);
    }
}
