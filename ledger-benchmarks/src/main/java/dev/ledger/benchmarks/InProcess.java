package dev.ledger.benchmarks;

import dev.ledger.domain.balance.AccountKey;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.axonframework.commandhandling.gateway.CommandGateway;

/** This ledger through its command gateway: one caller that does not wait, with a bounded number of operations on their way. */
final class InProcess implements Contender {

    private final String name;
    private final RunningLedger ledger;
    private final CommandGateway commands;
    private final int inFlight;

    /**
     * @param inFlight operations that may be on their way at once
     */
    InProcess(String name, RunningLedger ledger, int inFlight) {
        this.name = name;
        this.ledger = ledger;
        this.commands = ledger.bean(CommandGateway.class);
        this.inFlight = inFlight;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Round run(Scenario scenario, Duration time) throws Exception {
        Semaphore free = new Semaphore(inFlight);
        AtomicLong applied = new AtomicLong();
        long began = System.nanoTime();
        long end = began + time.toNanos();
        while (System.nanoTime() < end) {
            free.acquire();
            send(scenario, NEXT_OPERATION.incrementAndGet()).whenComplete((outcome, failure) -> {
                if (outcome instanceof Outcome.Applied) {
                    applied.incrementAndGet();
                }
                free.release();
            });
        }
        free.acquire(inFlight);
        return new Round(applied.get(), (System.nanoTime() - began) / 1e9);
    }

    /** Sends at a fixed rate, whatever the answers do; counts from when each operation should have been sent. */
    Histogram latencies(Scenario scenario, double perSecond, Duration time) throws Exception {
        Histogram micros = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(1), 3);
        long intervalNanos = (long) (1e9 / perSecond);
        long began = System.nanoTime();
        long count = time.toNanos() / intervalNanos;
        Semaphore answered = new Semaphore(0);
        for (long i = 0; i < count; i++) {
            long due = began + i * intervalNanos;
            for (long ahead = due - System.nanoTime(); ahead > 0; ahead = due - System.nanoTime()) {
                LockSupport.parkNanos(Math.min(ahead, 100_000));
            }
            send(scenario, NEXT_OPERATION.incrementAndGet()).whenComplete((outcome, failure) -> {
                micros.recordValue(Math.max(1, (System.nanoTime() - due) / 1_000));
                answered.release();
            });
        }
        answered.acquire((int) count);
        return micros;
    }

    private CompletableFuture<Outcome> send(Scenario scenario, long operation) {
        return commands.send(new ApplyDelta(
                Operation.of(new AccountKey("bench", scenario.account(operation)), "op-" + operation, 1)));
    }

    @Override
    public long stored() {
        return ledger.stored();
    }

    @Override
    public void close() {
        ledger.close();
    }
}
