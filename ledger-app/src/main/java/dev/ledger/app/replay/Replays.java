package dev.ledger.app.replay;

import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import dev.ledger.app.projection.TokenPositions.Segment;
import dev.ledger.app.replay.ReplayJob.State;
import dev.ledger.app.security.Caller;
import dev.ledger.app.security.Role;
import dev.ledger.domain.balance.InvalidOperationException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.support.TransactionOperations;
import tools.jackson.databind.json.JsonMapper;

/**
 * Plans, starts and watches replays.
 *
 * <p>A rebuild goes through the database: the job claims its handlers (the primary key lets one job have each), every other
 * instance sees the claim and lets go of the processor, the job's instance resets it, and all of them start it again. If
 * the job's instance dies meanwhile, its claim is no longer renewed, the others start the processor again after
 * {@link #CLAIM_LIFE}, and the job is reported as failed (K13, K14).
 */
public class Replays {

    private static final Logger log = LoggerFactory.getLogger(Replays.class);

    private static final String REBUILD = "rebuild";

    private static final int JOBS_SHOWN = 100;

    /** A claim that has not been renewed for so long belongs to an instance that has gone. */
    static final Duration CLAIM_LIFE = Duration.ofSeconds(30);

    /** How long other instances may take to let go of a processor. */
    private static final Duration RESET_TIMEOUT = Duration.ofSeconds(25);

    /** Held while this instance resets, so that its own watch leaves the processors alone. */
    private final ReentrantLock local = new ReentrantLock();

    /** Processors that this instance has stopped because another one resets them; only these it starts again. */
    private final Set<String> letGo = new HashSet<>();

    private final ReplayTables tables;
    private final ReplayReport reports;
    private final Processors processors;
    private final TransactionOperations transaction;
    private final JsonMapper json;
    private final Clock clock;

    Replays(
            ReplayTables tables,
            ReplayReport reports,
            Processors processors,
            TransactionOperations transaction,
            JsonMapper json,
            Clock clock) {
        this.tables = tables;
        this.reports = reports;
        this.processors = processors;
        this.transaction = transaction;
        this.json = json;
        this.clock = clock;
    }

    /**
     * Counts what a replay would do, and changes nothing but its own row.
     *
     * @throws InvalidOperationException for a handler or a mode that there is not
     * @throws ProblemException forbidden, if it concerns the ledger as a whole and the caller does not
     */
    ReplayJob plan(String mode, List<String> handlers, Caller caller) {
        if (!mode.equals(REBUILD)) {
            throw new InvalidOperationException("mode", "can be rebuild");
        }
        if (!caller.is(Role.ADMIN)) {
            throw new ProblemException(Problem.forbidden());
        }
        if (handlers.isEmpty() || !processors.projections().keySet().containsAll(handlers)) {
            throw new InvalidOperationException(
                    "handlers",
                    "can be "
                            + String.join(
                                    ", ", new TreeSet<>(processors.projections().keySet())));
        }
        List<String> distinct = handlers.stream().distinct().sorted().toList();
        String versions = distinct.stream()
                .map(handler -> handler + ":" + processors.projections().get(handler))
                .collect(Collectors.joining(","));
        ReplayJob job = new ReplayJob(
                UUID.randomUUID(),
                null,
                mode,
                distinct,
                State.PLANNED,
                caller.name(),
                clock.instant(),
                null,
                null,
                versions,
                json.writeValueAsString(reports.plan()),
                null);
        transaction.executeWithoutResult(status -> tables.add(job));
        return job;
    }

    Optional<ReplayJob> find(UUID id, Caller caller) {
        return tables.find(id).filter(job -> job.isVisibleTo(caller));
    }

    List<ReplayJob> latest(Caller caller) {
        return caller.is(Role.ADMIN) ? tables.findLatest(JOBS_SHOWN) : tables.findLatestOf(caller.tenant(), JOBS_SHOWN);
    }

    /**
     * Claims the handlers, resets their processors and lets them run. Returns when they run again; readers see the read
     * models while they are filled.
     *
     * @throws ReplayRefusedException if the job is not planned any more, or another one has one of its handlers, or an
     *     instance does not let go of a processor in time
     */
    void start(ReplayJob job) {
        try {
            transaction.executeWithoutResult(status -> {
                if (!tables.start(job.id(), clock.instant())) {
                    throw new ReplayRefusedException("replay-not-planned", "the replay has already been started");
                }
                job.handlers().forEach(handler -> tables.claim(handler, job.id(), clock.instant()));
            });
        } catch (DuplicateKeyException e) {
            throw new ReplayRefusedException("handler-in-replay", "another replay has one of these handlers");
        }
        log.info("replay {} of {} was started by {}", job.id(), job.handlers(), job.requestedBy());
        local.lock();
        try {
            job.handlers().forEach(processors::stop);
            transaction.executeWithoutResult(status -> reports.keepBefore(job));
            job.handlers().forEach(handler -> reset(job, handler));
            transaction.executeWithoutResult(status -> tables.renew(job.id(), ReplayTables.REPLAYING, clock.instant()));
        } catch (RuntimeException e) {
            end(job, State.FAILED);
            throw e;
        } finally {
            job.handlers().forEach(processors::start);
            local.unlock();
        }
    }

    private void reset(ReplayJob job, String handler) {
        Instant giveUpAt = clock.instant().plus(RESET_TIMEOUT);
        while (!processors.reset(handler)) {
            if (clock.instant().isAfter(giveUpAt)) {
                throw new ReplayRefusedException("processor-in-use", "another instance does not let go of " + handler);
            }
            transaction.executeWithoutResult(status -> tables.renew(job.id(), ReplayTables.RESETTING, clock.instant()));
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        }
    }

    /** On every instance: lets go of processors that are being reset elsewhere, and ends what has caught up. */
    void watch() {
        if (!local.tryLock()) {
            return; // This instance is resetting; nobody else may start its processors.
        }
        try {
            watch(tables.claims());
        } finally {
            local.unlock();
        }
    }

    private void watch(List<ReplayTables.Claim> claims) {
        Instant now = clock.instant();
        for (String handler : processors.projections().keySet()) {
            boolean resetElsewhere = claims.stream()
                    .anyMatch(claim -> claim.handler().equals(handler)
                            && claim.phase().equals(ReplayTables.RESETTING)
                            && !claim.isOlderThan(CLAIM_LIFE, now));
            if (resetElsewhere && letGo.add(handler)) {
                processors.stop(handler);
            } else if (!resetElsewhere && letGo.remove(handler)) {
                processors.start(handler);
            }
        }
        for (ReplayJob job : tables.findRunning()) {
            Optional<ReplayTables.Claim> claim = claims.stream()
                    .filter(held -> held.jobId().equals(job.id()))
                    .findFirst();
            if (claim.isEmpty()) {
                continue;
            }
            if (claim.get().phase().equals(ReplayTables.REPLAYING)) {
                if (progress(job).done()) {
                    end(job, State.COMPLETED);
                }
            } else if (claim.get().isOlderThan(CLAIM_LIFE, now)) {
                end(job, State.FAILED);
            }
        }
    }

    private void end(ReplayJob job, State state) {
        String report = json.writeValueAsString(reports.report(job, state));
        transaction.executeWithoutResult(status -> tables.end(job.id(), state, clock.instant(), report));
        log.info("replay {} of {} has {}", job.id(), job.handlers(), state);
    }

    /**
     * @param handled events that have been handled again, over all handlers
     * @param total events that are to be
     */
    record Progress(long handled, long total, boolean done) {}

    Progress progress(ReplayJob job) {
        long handled = 0;
        long total = 0;
        for (String handler : job.handlers()) {
            List<Segment> segments = processors.segments(handler);
            handled += segments.stream()
                    .mapToLong(segment -> Math.max(0, segment.position()))
                    .min()
                    .orElse(0);
            total += segments.stream()
                    .mapToLong(segment -> Math.max(segment.resetAt(), segment.position()))
                    .max()
                    .orElse(0);
        }
        boolean done = job.handlers().stream()
                .noneMatch(handler -> processors.segments(handler).stream().anyMatch(Segment::isReplaying));
        return new Progress(handled, total, done);
    }

    /** Every handler with its state; how far it is tells of all tenants' events, so that is for administrators. */
    List<Map<String, Object>> handlers(Caller caller) {
        long head = processors.head();
        return processors.projections().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(projection -> handler(projection.getKey(), projection.getValue(), head, caller.is(Role.ADMIN)))
                .toList();
    }

    private Map<String, Object> handler(String name, String version, long head, boolean withFigures) {
        List<Segment> segments = processors.segments(name);
        long position = segments.stream().mapToLong(Segment::position).min().orElse(-1);
        Map<String, Object> handler = new LinkedHashMap<>();
        handler.put("name", name);
        handler.put("kind", "projection");
        handler.put("version", version);
        handler.put("state", state(name, segments));
        if (!withFigures) {
            return handler;
        }
        handler.put("lag", Math.max(0, head - Math.max(0, position)));
        handler.put(
                "segments",
                segments.stream()
                        .map(segment -> Map.of(
                                "segment", segment.number(),
                                "position", segment.position(),
                                "owner", segment.owner() == null ? "" : segment.owner()))
                        .toList());
        return handler;
    }

    private String state(String name, List<Segment> segments) {
        if (processors.isError(name)) {
            return "error";
        }
        if (!processors.isRunning(name)) {
            return "stopped";
        }
        return segments.stream().anyMatch(Segment::isReplaying) ? "replaying" : "running";
    }
}
