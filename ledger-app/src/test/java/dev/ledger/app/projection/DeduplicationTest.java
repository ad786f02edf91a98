package dev.ledger.app.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.domain.balance.LedgerEvent;
import dev.ledger.projections.balance.AccountChange;
import dev.ledger.projections.dedup.DeduplicatingInterceptor;
import dev.ledger.projections.dedup.HandledEvents;
import dev.ledger.projections.sql.ProjectionSql;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.DefaultInterceptorChain;
import org.axonframework.messaging.MetaData;
import org.axonframework.messaging.ResultMessage;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.axonframework.messaging.unitofwork.RollbackConfigurationType;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Delivers batches to a handler as a processor does: one unit of work, one transaction, the interceptor in front. The
 * handler's effect is a row, counted afterwards.
 */
@OnBothDatabases
class DeduplicationTest {

    private final JdbcTemplate jdbc;
    private final ProjectionSql sql;
    private final TransactionTemplate transaction;
    private final TransactionManager transactions;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    DeduplicationTest(RunningLedger ledger) {
        jdbc = ledger.jdbc();
        sql = ledger.bean(ProjectionSql.class);
        transactions = ledger.bean(TransactionManager.class);
        transaction = new TransactionTemplate(ledger.bean(PlatformTransactionManager.class));
        inTransaction("create table if not exists effect (handler varchar(128), event_id uuid)");
    }

    private record Fact(String tenant, String digest) implements LedgerEvent {}

    @Test
    void anEventThatComesTwiceInOneBatchTakesEffectOnce() { // A1
        EventMessage<Fact> event = event("shop", "a");

        deliver(interceptor("once-a"), "once-a", event, event);

        assertThat(effects("once-a", event)).isEqualTo(1);
        assertThat(counted("once-a", "duplicate")).isEqualTo(1);
    }

    @Test
    void anEventThatComesInTwoBatchesTakesEffectOnce() { // A1
        EventMessage<Fact> event = event("shop", "a");

        deliver(interceptor("once-b"), "once-b", event);
        deliver(interceptor("once-b"), "once-b", event("shop", "other"), event);

        assertThat(effects("once-b", event)).isEqualTo(1);
        assertThat(counted("once-b", "duplicate")).isEqualTo(1);
        assertThat(counted("once-b", "applied")).isEqualTo(2);
    }

    @Test
    void handlersAndTenantsDoNotBlockEachOther() { // A5
        UUID id = UUID.randomUUID();
        EventMessage<Fact> shop = event(id, "shop", "a");
        EventMessage<Fact> bank = event(id, "bank", "b");

        deliver(interceptor("points"), "points", shop, bank);
        deliver(interceptor("audit"), "audit", shop);

        assertThat(effects("points", shop)).isEqualTo(2);
        assertThat(effects("audit", shop)).isEqualTo(1);
    }

    @Test
    void theSameIdWithAnotherDigestHasNoEffectAndIsKept() { // A4
        UUID id = UUID.randomUUID();
        DeduplicatingInterceptor interceptor = interceptor("conflict");

        deliver(interceptor, "conflict", event(id, "shop", "first"));
        deliver(interceptor, "conflict", event(id, "shop", "other"));
        deliver(interceptor, "conflict", event(id, "shop", "other"));

        assertThat(effects("conflict", event(id, "shop", "first"))).isEqualTo(1);
        assertThat(counted("conflict", "conflict")).isEqualTo(2);
        assertThat(jdbc.queryForList(
                        "select recorded_digest, offered_digest from handled_event_conflict where event_id = ?", id))
                .singleElement()
                .satisfies(kept -> assertThat(kept.values()).containsExactly("first", "other"));
    }

    @Test
    void aConflictWithinOneBatchIsOneToo() { // A4
        UUID id = UUID.randomUUID();

        deliver(interceptor("conflict-b"), "conflict-b", event(id, "shop", "first"), event(id, "shop", "other"));

        assertThat(effects("conflict-b", event(id, "shop", "first"))).isEqualTo(1);
        assertThat(counted("conflict-b", "conflict")).isEqualTo(1);
    }

    @Test
    void aFailedDeliveryLeavesNothingThatMakesItsRetryADuplicate() { // K33
        EventMessage<Fact> event = event("shop", "a");
        RuntimeException failure = new IllegalStateException("the handler fails");

        assertThatThrownBy(() -> deliver(
                        interceptor("failing"),
                        "failing",
                        () -> {
                            throw failure;
                        },
                        event))
                .isSameAs(failure);
        assertThat(effects("failing", event)).isZero();

        deliver(interceptor("failing"), "failing", event);

        assertThat(effects("failing", event)).isEqualTo(1);
    }

    @Test
    void ofTwoProcessorsAtOnceOneTakesTheEvent() throws Exception { // B6, K16
        EventMessage<Fact> event = event("shop", "a");
        CountDownLatch claimed = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);

        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> deliver(
                interceptor("race"),
                "race",
                () -> {
                    claimed.countDown();
                    release.await(10, TimeUnit.SECONDS);
                },
                event));
        assertThat(claimed.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> deliverUntilDone("race", event));
        release.countDown();
        first.get(20, TimeUnit.SECONDS);
        second.get(20, TimeUnit.SECONDS);

        assertThat(effects("race", event)).isEqualTo(1);
    }

    /** The loser waits for the winner and skips, or breaks the primary key and comes again, as a processor would. */
    private void deliverUntilDone(String handler, EventMessage<Fact> event) {
        for (int tries = 0; tries < 10; tries++) {
            try {
                deliver(interceptor(handler), handler, event);
                return;
            } catch (DataIntegrityViolationException | PessimisticLockingFailureException e) {
                // Comes again.
            }
        }
        throw new IllegalStateException("never got through");
    }

    @Test
    void aBatchIsClaimedAtOnce() {
        AtomicInteger claims = new AtomicInteger();
        ProjectionSql counting = (ProjectionSql) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ProjectionSql.class}, (proxy, method, arguments) -> {
                    claims.incrementAndGet();
                    return method.invoke(sql, arguments);
                });
        EventMessage<?>[] batch = new EventMessage<?>[500];
        Arrays.setAll(batch, i -> event("shop", "digest-" + i));

        deliver(new DeduplicatingInterceptor("bulk", "1", new HandledEvents(counting, jdbc), meters), "bulk", batch);

        assertThat(claims).hasValue(1);
        assertThat(jdbc.queryForObject("select count(*) from effect where handler = 'bulk'", Long.class))
                .isEqualTo(500);
    }

    @Test
    void anOlderBalanceNeverOverwritesANewerOne() { // A9
        Instant now = Instant.parse("2026-01-31T09:30:00Z");
        transaction.executeWithoutResult(
                status -> sql.moveBalances(List.of(new AccountChange("shop", "guarded", 70, 2, 1, now))));
        transaction.executeWithoutResult(status ->
                sql.moveBalances(List.of(new AccountChange("shop", "guarded", 100, 1, 1, now.minusSeconds(1)))));

        Map<String, Object> row = jdbc.queryForMap(
                "select balance, sequence, operations from account_balance where tenant = 'shop' and account = 'guarded'");
        assertThat(row.values()).containsExactly(70L, 2L, 2L);
    }

    private DeduplicatingInterceptor interceptor(String handler) {
        return new DeduplicatingInterceptor(handler, "1", new HandledEvents(sql, jdbc), meters);
    }

    private static EventMessage<Fact> event(String tenant, String digest) {
        return event(UUID.randomUUID(), tenant, digest);
    }

    private static EventMessage<Fact> event(UUID id, String tenant, String digest) {
        return new GenericEventMessage<>(
                id.toString(), new Fact(tenant, digest), MetaData.emptyInstance(), Instant.now());
    }

    private interface Step {
        void run() throws Exception;
    }

    private void deliver(DeduplicatingInterceptor interceptor, String handler, EventMessage<?>... events) {
        deliver(interceptor, handler, () -> {}, events);
    }

    /** @param then runs behind each effect, in its transaction */
    private void deliver(DeduplicatingInterceptor interceptor, String handler, Step then, EventMessage<?>... events) {
        BatchingUnitOfWork<EventMessage<?>> unitOfWork = new BatchingUnitOfWork<>(List.of(events));
        unitOfWork.start();
        unitOfWork.attachTransaction(transactions);
        ResultMessage<?> result = unitOfWork.executeWithResult(
                () -> new DefaultInterceptorChain<EventMessage<?>>(unitOfWork, List.of(interceptor), message -> {
                            jdbc.update(
                                    "insert into effect (handler, event_id) values (?, ?)",
                                    handler,
                                    UUID.fromString(message.getIdentifier()));
                            then.run();
                            return null;
                        })
                        .proceed(),
                RollbackConfigurationType.ANY_THROWABLE);
        if (result.isExceptional()) {
            throw (RuntimeException) result.exceptionResult();
        }
    }

    private long effects(String handler, EventMessage<?> event) {
        return jdbc.queryForObject(
                "select count(*) from effect where handler = ? and event_id = ?",
                Long.class,
                handler,
                UUID.fromString(event.getIdentifier()));
    }

    private double counted(String handler, String outcome) {
        return meters.get("ledger.handler.deliveries")
                .tags("handler", handler, "outcome", outcome)
                .counter()
                .count();
    }

    private void inTransaction(String statement) {
        transaction.executeWithoutResult(status -> jdbc.execute(statement));
    }
}
