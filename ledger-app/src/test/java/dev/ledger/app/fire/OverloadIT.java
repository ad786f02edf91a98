package dev.ledger.app.fire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.commit.GroupCommitCommandBus;
import dev.ledger.app.commit.TooBusyException;
import dev.ledger.app.fire.Teller.Order;
import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.domain.balance.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.axonframework.common.Registration;
import org.junit.jupiter.api.Test;

/** More than the ledger can take: it says so, applies nothing of that, keeps its memory, and recovers. */
@OnBothDatabases(properties = {"ledger.commit.partitions=1", "ledger.commit.queue-capacity=100"})
class OverloadIT {

    private static final int CAPACITY = 100;
    private static final long HEAP_SLACK_BYTES = 24 << 20;

    private final RunningLedger ledger;
    private final Teller teller;

    OverloadIT(RunningLedger ledger) {
        this.ledger = ledger;
        this.teller = new Teller(ledger);
    }

    @Test
    void whatAFullQueueDoesNotTakeIsNotAppliedAndEverythingElseIs() {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < CAPACITY; i++) {
            orders.add(new Order("full", "full-" + i, 1));
        }
        List<Answer> refused = new ArrayList<>();
        List<CompletableFuture<Outcome>> taken = teller.together(orders, () -> {
            for (int i = 0; i < 20; i++) {
                refused.add(ledger.client(Key.ALPHA).apply("full", "full-too-many-" + i, 1));
            }
        });

        taken.forEach(outcome -> assertThat(Teller.await(outcome)).isInstanceOf(Outcome.Applied.class));
        assertThat(refused).hasSize(20).allSatisfy(answer -> {
            answer.isProblem(503, "too-busy");
            assertThat(answer.header("Retry-After")).matches("[1-9][0-9]*");
        });
        assertThat(Journal.read(ledger.database()).of("full")).hasSize(CAPACITY);
        ledger.client(Key.ALPHA).apply("full", "full-too-many-0", 1).hasStatus(201);
    }

    @Test
    void memoryStaysFlatAndFullThroughputComesBack() {
        double before = Math.max(operationsPerSecond("before-1"), operationsPerSecond("before-2"));
        long heapBefore = usedHeap();
        Registration slow = ledger.bean(GroupCommitCommandBus.class).registerHandlerInterceptor((unitOfWork, chain) -> {
            LockSupport.parkNanos(200_000);
            return chain.proceed();
        });
        int tooBusy = 0;
        int applied = 0;
        List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
        for (int i = 0; i < Scale.rounds(100_000); i++) {
            CompletableFuture<Outcome> outcome = teller.send(new Order("flood", "flood-" + i, 1));
            if (!outcome.isCompletedExceptionally()) {
                applied++;
                waiting.add(outcome);
            } else {
                tooBusy++;
                assertThat(Teller.failureOf(outcome)).isInstanceOf(TooBusyException.class);
            }
        }
        waiting.forEach(outcome -> assertThat(Teller.await(outcome)).isInstanceOf(Outcome.Applied.class));
        slow.cancel();
        waiting.clear();
        long heapAfter = usedHeap();
        double after = Math.max(operationsPerSecond("after-1"), operationsPerSecond("after-2"));

        System.out.printf(
                "%s: %d too busy, %d applied; heap %d MB, then %d MB; %.0f operations/s before, %.0f after%n",
                ledger, tooBusy, applied, heapBefore >> 20, heapAfter >> 20, before, after);
        assertThat(tooBusy).isGreaterThan(applied);
        assertThat(Journal.read(ledger.database()).of("flood")).hasSize(applied);
        assertThat(heapAfter).isLessThan(heapBefore + HEAP_SLACK_BYTES);
        // Generous, since machines are shared: an overload that leaves a mark leaves more than this.
        assertThat(after).isGreaterThan(before / 3);
    }

    private double operationsPerSecond(String account) {
        long startedAt = System.nanoTime();
        int operations = 2000;
        for (int i = 0; i < operations; i += CAPACITY) {
            List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
            for (int k = i; k < i + CAPACITY; k++) {
                outcomes.add(teller.send(new Order(account, account + "-" + k, 1)));
            }
            outcomes.forEach(Teller::await);
        }
        return operations * 1e9 / (System.nanoTime() - startedAt);
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
