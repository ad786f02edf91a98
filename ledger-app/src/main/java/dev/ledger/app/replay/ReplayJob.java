package dev.ledger.app.replay;

import dev.ledger.app.security.Caller;
import dev.ledger.app.security.Role;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One replay.
 *
 * @param tenant whose job it is; null if it concerns the ledger as a whole
 * @param handlers whose read models are rebuilt
 * @param requestedBy the name of the caller's key or token
 * @param consumerVersion of each handler, as it was when the job was planned
 * @param plan the dry run, as JSON
 * @param report what became of it, as JSON, once it has ended
 */
record ReplayJob(
        UUID id,
        @Nullable String tenant,
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

    /** Administrators see every job, everybody else those of the own tenant (K47). */
    boolean isVisibleTo(Caller caller) {
        return caller.is(Role.ADMIN) || caller.tenant().equals(tenant);
    }

    enum State {
        PLANNED,
        RUNNING,
        COMPLETED,
        FAILED
    }
}
