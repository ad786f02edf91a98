package dev.ledger.benchmarks;

import dev.ledger.benchmarks.Contender.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Callers that wait for one operation before they send the next. */
final class Blocking {

    interface Caller {
        void apply(long operation) throws Exception;
    }

    private Blocking() {}

    static Round run(int threads, Duration time, Caller caller) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            long began = System.nanoTime();
            long end = began + time.toNanos();
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                counts.add(callers.submit(() -> {
                    long count = 0;
                    while (System.nanoTime() < end) {
                        caller.apply(Contender.NEXT_OPERATION.incrementAndGet());
                        count++;
                    }
                    return count;
                }));
            }
            long operations = 0;
            for (Future<Long> count : counts) {
                operations += count.get();
            }
            return new Round(operations, (System.nanoTime() - began) / 1e9);
        } finally {
            callers.shutdownNow();
        }
    }
}
