package dev.ledger.app.replay;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One replay.
 *
 * @param handlers whose read models are rebuilt
 * @param requestedBy the name of the caller's key or token
 * @param consumerVersion of each handler, as it was when the job was planned
 * @param plan the dry run, as JSON
 * @param report what became of it, as JSON, once it has ended
 */
record ReplayJob(
        UUID id,
        String mode,
        List<String> handlers,
        State state,
        String requestedBy,
        Instant plannedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        String consumerVersion,
        String plan,
        @Nullable String report) {

    enum State {
        PLANNED,
        RUNNING,
        COMPLETED,
        FAILED
    }
}
