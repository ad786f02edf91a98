package dev.ledger.benchmarks;

import dev.ledger.app.commit.AccountCache;
import dev.ledger.domain.balance.AccountKey;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.axonframework.commandhandling.gateway.CommandGateway;

/** An account with a long history against one without: its first command when nothing is cached, its speed, its memory. */
final class LongHistory {

    private static final AccountKey OLD = new AccountKey("bench", "old");
    private static final AccountKey FRESH = new AccountKey("bench", "fresh");

    private final RunningLedger ledger;
    private final CommandGateway commands;
    private final int receipts;
    private final Duration round;
    private final int inFlight;

    LongHistory(RunningLedger ledger, int receipts, Duration round, int inFlight) {
        this.ledger = ledger;
        this.commands = ledger.bean(CommandGateway.class);
        this.receipts = receipts;
        this.round = round;
        this.inFlight = inFlight;
    }

    void run(Report report) throws Exception {
        applyMany(OLD, receipts);
        List<Double> coldMillis = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            ledger.bean(AccountCache.class).removeAll();
            long began = System.nanoTime();
            apply(OLD).get();
            coldMillis.add((System.nanoTime() - began) / 1e6);
        }
        coldMillis.sort(Double::compare);
        report.fact(
                "first command on a cold account with %,d receipts".formatted(receipts),
                String.format(
                        Locale.ROOT,
                        "median %.1f ms, worst %.1f ms",
                        coldMillis.get(5),
                        coldMillis.get(coldMillis.size() - 1)));
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            double old = perSecond(OLD);
            ratios.add(old / perSecond(FRESH));
        }
        ratios.sort(Double::compare);
        report.fact(
                "throughput of that account against a fresh one",
                String.format(Locale.ROOT, "median of pairs %.2f", ratios.get(2)));
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        report.fact("heap in use afterwards", (runtime.totalMemory() - runtime.freeMemory()) / (1024 * 1024) + " MB");
    }

    private double perSecond(AccountKey key) throws Exception {
        int count = 0;
        Semaphore free = new Semaphore(inFlight);
        long began = System.nanoTime();
        while (System.nanoTime() - began < round.toNanos()) {
            free.acquire();
            apply(key).whenComplete((outcome, failure) -> free.release());
            count++;
        }
        free.acquire(inFlight);
        return count / ((System.nanoTime() - began) / 1e9);
    }

    private void applyMany(AccountKey key, int count) throws Exception {
        Semaphore free = new Semaphore(inFlight);
        for (int i = 0; i < count; i++) {
            free.acquire();
            apply(key).whenComplete((outcome, failure) -> free.release());
        }
        free.acquire(inFlight);
    }

    private CompletableFuture<Object> apply(AccountKey key) {
        return commands.send(new ApplyDelta(Operation.of(key, "op-" + Contender.NEXT_OPERATION.incrementAndGet(), 1)));
    }
}
