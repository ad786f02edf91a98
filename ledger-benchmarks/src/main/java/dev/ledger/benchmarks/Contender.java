package dev.ledger.benchmarks;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** One way to apply operations durably. Each has a database of its own. */
interface Contender extends AutoCloseable {

    AtomicLong NEXT_OPERATION = new AtomicLong(System.currentTimeMillis() * 1_000);

    String name();

    /**
     * Applies operations for some time and waits until each has been acknowledged.
     *
     * @return what was acknowledged, and how long that took
     */
    Round run(Scenario scenario, Duration time) throws Exception;

    /** How many operations the database holds: they have to be those that were acknowledged. */
    long stored();

    @Override
    void close() throws Exception;

    /** A measured stretch of time. */
    record Round(long operations, double seconds) {

        double perSecond() {
            return operations / seconds;
        }
    }
}
