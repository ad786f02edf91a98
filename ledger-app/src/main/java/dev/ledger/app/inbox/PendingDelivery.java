package dev.ledger.app.inbox;

import dev.ledger.app.commit.OutcomeUnknownException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A message on its way. Whoever delivered it waits here before he acknowledges anything (C5). */
public final class PendingDelivery {

    private final InboxHandler handler;
    private final InboxMessage message;
    private final @Nullable String replay;
    private final CompletableFuture<InboxOutcome> outcome;
    private final DeliveryRecorder recorder;

    PendingDelivery(
            InboxHandler handler,
            InboxMessage message,
            @Nullable String replay,
            CompletableFuture<InboxOutcome> outcome,
            DeliveryRecorder recorder) {
        this.handler = handler;
        this.message = message;
        this.replay = replay;
        this.outcome = outcome;
        this.recorder = recorder;
    }

    /**
     * Waits for the commit. A failure is on record before it is thrown; it holds no connection while it waits.
     *
     * @throws RuntimeException what kept the message from taking effect; it may be delivered again
     * @throws OutcomeUnknownException if nobody knows within this time
     */
    public InboxOutcome await(Duration timeout) {
        RuntimeException failure;
        try {
            InboxOutcome committed = outcome.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            recorder.ended(handler, committed);
            return committed;
        } catch (ExecutionException e) {
            failure = e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            failure = new OutcomeUnknownException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = new OutcomeUnknownException(e);
        }
        recorder.failed(handler, message, replay, failure);
        throw failure;
    }
}
