package dev.ledger.app.http;

import java.util.concurrent.atomic.AtomicLong;

/** The disk that the answers of all batches of this instance may fill together. */
final class SpoolSpace {

    private final long maxBytes;
    private final AtomicLong usedBytes = new AtomicLong();

    SpoolSpace(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** @return false if there is not that much left; then nothing is taken */
    boolean take(long bytes) {
        if (usedBytes.addAndGet(bytes) <= maxBytes) {
            return true;
        }
        usedBytes.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        usedBytes.addAndGet(-bytes);
    }

    long usedBytes() {
        return usedBytes.get();
    }
}
