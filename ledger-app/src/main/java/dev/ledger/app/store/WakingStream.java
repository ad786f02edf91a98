package dev.ledger.app.store;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingEventStream;
import org.jspecify.annotations.Nullable;

/**
 * A stream that tells its reader to look again. Without it, Axon's pooled processor looks twice a second, and a reader who
 * waits for a read model waits for that.
 */
final class WakingStream implements TrackingEventStream {

    private final TrackingEventStream delegate;
    private final Set<Runnable> readers;
    private @Nullable Runnable reader;

    /**
     * @param readers whom the store wakes
     */
    WakingStream(TrackingEventStream delegate, Set<Runnable> readers) {
        this.delegate = delegate;
        this.readers = readers;
    }

    @Override
    public boolean setOnAvailableCallback(Runnable callback) {
        forget();
        reader = callback;
        readers.add(callback);
        return true;
    }

    @Override
    public Optional<TrackedEventMessage<?>> peek() {
        return delegate.peek();
    }

    @Override
    public boolean hasNextAvailable(int timeout, TimeUnit unit) throws InterruptedException {
        return delegate.hasNextAvailable(timeout, unit);
    }

    @Override
    public TrackedEventMessage<?> nextAvailable() throws InterruptedException {
        return delegate.nextAvailable();
    }

    @Override
    public void skipMessagesWithPayloadTypeOf(TrackedEventMessage<?> ignored) {
        delegate.skipMessagesWithPayloadTypeOf(ignored);
    }

    @Override
    public void close() {
        forget();
        delegate.close();
    }

    private void forget() {
        if (reader != null) {
            readers.remove(reader);
            reader = null;
        }
    }
}
