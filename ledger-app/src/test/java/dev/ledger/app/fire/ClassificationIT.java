package dev.ledger.app.fire;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.ledger.app.commit.AccountCache;
import dev.ledger.app.fire.Teller.Order;
import dev.ledger.app.store.LedgerEventSerializer;
import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.Balance;
import dev.ledger.domain.balance.DeltaApplied;
import dev.ledger.domain.balance.Outcome;
import dev.ledger.domain.balance.Receipt;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.axonframework.serialization.SerializedObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** C3: what a violated constraint means is decided by which one it was and by what is stored. */
@OnBothDatabases(properties = {"ledger.commit.partitions=1", "ledger.commit.lock-timeout=700ms"})
class ClassificationIT {

    /** More than an account keeps in memory. */
    private static final int MORE_THAN_RETAINED = 300;

    private final RunningLedger ledger;
    private final LedgerClient client;
    private final Teller teller;

    ClassificationIT(RunningLedger ledger) {
        this.ledger = ledger;
        this.client = ledger.client(Key.ALPHA);
        this.teller = new Teller(ledger);
    }

    /** K01. */
    @Test
    void aCompletedOperationAnswersWithItsReceiptHoweverOftenItIsSent() {
        Answer first = client.apply("k01", "k01", 5).hasStatus(201);
        for (int i = 0; i < 5; i++) {
            Answer again = client.apply("k01", "k01", 5).hasStatus(200);
            assertThat(again.body()).isEqualTo(first.body());
            assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        }
        assertThat(journal().of("k01")).hasSize(1);
    }

    @Test
    void theSameIdWithOtherContentIsAConflict() {
        client.apply("conflict", "conflict", 5).hasStatus(201);
        client.apply("conflict", "conflict", 6).isProblem(409, "operation-conflict");
        client.apply("another", "conflict", 5).isProblem(409, "operation-conflict");
        ledger.bean(AccountCache.class).removeAll();
        client.apply("conflict", "conflict", -7).isProblem(409, "operation-conflict");

        assertThat(journal().balance("conflict")).isEqualTo(5);
        assertThat(journal().of("another")).isEmpty();
    }

    /** K06, K34: another transaction has inserted the operation, and it ends by a rollback. */
    @Test
    void anOperationInProgressElsewhereIsOneToComeBackTo() throws SQLException {
        try (Connection elsewhere = ledger.database().connect()) {
            insertUncommitted(elsewhere, new Order("progress", "progress-1", 10), Balance.ZERO);
            long startedAt = System.nanoTime();
            Answer waiting = client.apply("progress", "progress-1", 10);

            waiting.isProblem(409, "operation-in-progress");
            assertThat(waiting.header("Retry-After")).matches("[1-9][0-9]*");
            assertThat(System.nanoTime() - startedAt).isLessThan(SECONDS.toNanos(5));
            elsewhere.rollback();
        }
        client.apply("progress", "progress-1", 10).hasStatus(201);
        assertThat(journal().of("progress")).containsExactly(new Journal.Entry("progress-1", 10, 10, 1));
    }

    @Test
    void anOperationThatCommitsElsewhereIsAnsweredWithThatReceipt() throws SQLException {
        try (Connection elsewhere = ledger.database().connect()) {
            DeltaApplied stored = insertUncommitted(elsewhere, new Order("commits", "commits-1", 10), Balance.ZERO);
            client.apply("commits", "commits-1", 10).isProblem(409, "operation-in-progress");
            CompletableFuture<Outcome> waiting = teller.send(new Order("commits", "commits-1", 10));
            elsewhere.commit();

            assertThat(Teller.await(waiting)).isEqualTo(new Outcome.Replayed(stored.receipt()));
            client.apply("commits", "commits-1", 10).hasStatus(200);
            client.apply("commits", "commits-1", 11).isProblem(409, "operation-conflict");
        }
        assertThat(journal().of("commits")).hasSize(1);
    }

    /** The account's next step is held, not this operation: nobody may be told that it is in progress. */
    @Test
    void anotherOperationOfAnAccountThatIsHeldElsewhereIsSentBack() throws SQLException {
        client.apply("held", "held-deposit", 100).hasStatus(201);
        Balance balance = new Balance(100, 1, Instant.EPOCH);
        try (Connection elsewhere = ledger.database().connect()) {
            insertUncommitted(elsewhere, new Order("held", "held-elsewhere", -80), balance);
            Answer answer = client.apply("held", "held-here", -80);

            assertThat(answer.status()).as(answer.text()).isIn(409, 503);
            assertThat(answer.header("Retry-After")).isNotEmpty();
            elsewhere.commit();
        }
        client.apply("held", "held-here", -80).isProblem(422, "insufficient-balance");
        assertThat(journal().balance("held")).isEqualTo(20);
    }

    /** K05. */
    @Test
    void anotherConstraintIsAFaultOfItsOwnAndIsNamedInTheLog() throws SQLException {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.ledger.app.commit");
        logger.addAppender(log);
        execute("alter table domain_event add constraint k05_other_constraint check"
                + " (aggregate_identifier <> 'alpha/k05')");
        try {
            client.apply("k05", "k05", 1).isProblem(500, "integrity-violation");
            client.apply("k05-innocent", "k05-innocent", 1).hasStatus(201);
        } finally {
            execute("alter table domain_event drop constraint k05_other_constraint");
            logger.detachAppender(log);
        }
        assertThat(log.list)
                .anySatisfy(event -> assertThat(ThrowableProxyUtil.asString(event.getThrowableProxy()))
                        .containsIgnoringCase("k05_other_constraint"));
        assertThat(journal().of("k05")).isEmpty();
        client.apply("k05", "k05", 1).hasStatus(201);
    }

    /** K05: a unique constraint that arbitrates nothing. */
    @Test
    void anotherUniqueConstraintIsNeverTakenForADuplicate() throws SQLException {
        execute("alter table domain_event add column k05_only varchar(64) generated always as "
                + (isPostgres()
                        ? "(case when aggregate_identifier like 'alpha/k05-unique-%' then 'once' end) stored"
                        : "(case when aggregate_identifier like 'alpha/k05-unique-%' then 'once' end)"));
        execute("create unique index k05_other_key on domain_event (k05_only)");
        try {
            client.apply("k05-unique-1", "k05-unique-1", 1).hasStatus(201);
            client.apply("k05-unique-2", "k05-unique-2", 1).isProblem(500, "integrity-violation");
        } finally {
            execute("drop index k05_other_key");
            execute("alter table domain_event drop column k05_only");
        }
        assertThat(journal().of("k05-unique-1")).hasSize(1);
        assertThat(journal().of("k05-unique-2")).isEmpty();
    }

    /** B2: also a debit that today's balance would refuse, and a credit that it would refuse as an overflow. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLateDuplicateWhoseReceiptHasLeftTheWindowGetsIt(boolean warm) {
        String account = "late-" + warm;
        List<Receipt> early = new ArrayList<>();
        early.add(Teller.receipt(teller.apply(account, account + "-deposit", 1000)));
        early.add(Teller.receipt(teller.apply(account, account + "-debit", -990)));
        List<CompletableFuture<Outcome>> later = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_RETAINED; i++) {
            later.add(teller.send(new Order(account, account + "-later-" + i, 0)));
        }
        later.forEach(Teller::await);

        for (int round = 0; round < 2; round++) {
            if (!warm) {
                ledger.bean(AccountCache.class).removeAll();
            }
            assertThat(teller.apply(account, account + "-debit", -990)).isEqualTo(new Outcome.Replayed(early.get(1)));
            assertThat(teller.apply(account, account + "-deposit", 1000)).isEqualTo(new Outcome.Replayed(early.get(0)));
            client.apply(account, account + "-debit", -989).isProblem(409, "operation-conflict");
            client.apply(account, account + "-deposit", 5).isProblem(409, "operation-conflict");
        }
        Teller.receipt(teller.apply(account, account + "-fill", Long.MAX_VALUE - 10));
        assertThat(teller.apply(account, account + "-deposit", 1000)).isEqualTo(new Outcome.Replayed(early.get(0)));
        assertThat(journal().of(account)).hasSize(MORE_THAN_RETAINED + 3);
    }

    /** A late duplicate must not lend its money to those behind it in the group. */
    @Test
    void nobodyInTheGroupSpendsWhatALateDuplicateSeemsToBring() {
        teller.apply("lend", "lend-deposit", 100);
        teller.apply("lend", "lend-debit", -100);
        for (int i = 0; i < MORE_THAN_RETAINED; i++) {
            teller.send(new Order("lend", "lend-later-" + i, 0));
        }
        List<CompletableFuture<Outcome>> outcomes =
                teller.together(List.of(new Order("lend", "lend-deposit", 100), new Order("lend", "lend-spend", -100)));

        assertThat(Teller.await(outcomes.get(0))).isInstanceOf(Outcome.Replayed.class);
        assertThat(Teller.await(outcomes.get(1))).isInstanceOf(Outcome.Rejected.class);
        assertThat(journal().balance("lend")).isZero();
    }

    /** What another instance does, stopped before its commit. */
    private DeltaApplied insertUncommitted(Connection connection, Order order, Balance balance) throws SQLException {
        ApplyDelta command = order.command();
        DeltaApplied event = ((Outcome.Applied) balance.decide(command, null, Instant.now())).event();
        SerializedObject<byte[]> payload =
                ledger.bean(LedgerEventSerializer.class).serialize(event, byte[].class);
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into domain_event (event_id, aggregate_identifier, sequence_number, aggregate_type, payload_type,"
                        + " payload_revision, recorded_at, metadata, payload) values (?, ?, ?, 'balance', ?, ?, ?, ?, ?)")) {
            insert.setObject(1, UUID.fromString(command.eventId()));
            insert.setString(2, command.aggregateIdentifier());
            insert.setLong(3, event.sequence() - 1);
            insert.setString(4, payload.getType().getName());
            insert.setString(5, payload.getType().getRevision());
            insert.setObject(6, event.recordedAt().atOffset(ZoneOffset.UTC));
            insert.setBytes(7, "{}".getBytes(StandardCharsets.UTF_8));
            insert.setBytes(8, payload.getData());
            insert.executeUpdate();
        }
        return event;
    }

    private boolean isPostgres() {
        return ledger.database().url().startsWith("jdbc:postgresql:");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = ledger.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Journal journal() {
        return Journal.read(ledger.database());
    }
}
