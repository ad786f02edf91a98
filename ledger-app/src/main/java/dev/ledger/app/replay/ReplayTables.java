package dev.ledger.app.replay;

import dev.ledger.app.replay.ReplayJob.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** The SQL on {@code replay_job} and {@code replay_claim}; the same on both databases. */
final class ReplayTables {

    /** While a processor is reset, every instance but the job's lets go of it. */
    static final String RESETTING = "resetting";

    static final String REPLAYING = "replaying";

    private static final String JOB =
            "select id, tenant, mode, handlers, state, requested_by, planned_at, started_at, ended_at,"
                    + " consumer_version, plan, report from replay_job";

    private static final String LATEST = " order by planned_at desc, id fetch first ";

    private final JdbcTemplate jdbc;

    ReplayTables(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    record Claim(String handler, UUID jobId, String phase, Instant renewedAt) {

        boolean isOlderThan(Duration age, Instant now) {
            return renewedAt.plus(age).isBefore(now);
        }
    }

    void add(ReplayJob job) {
        jdbc.update(
                "insert into replay_job (id, tenant, mode, handlers, state, requested_by, planned_at, consumer_version,"
                        + " plan) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                job.id(),
                job.tenant(),
                job.mode(),
                String.join(",", job.handlers()),
                text(job.state()),
                job.requestedBy(),
                utc(job.plannedAt()),
                job.consumerVersion(),
                job.plan());
    }

    Optional<ReplayJob> find(UUID id) {
        return jdbc.query(JOB + " where id = ?", (row, number) -> job(row), id).stream()
                .findFirst();
    }

    List<ReplayJob> findLatest(int limit) {
        return jdbc.query(JOB + LATEST + limit + " rows only", (row, number) -> job(row));
    }

    List<ReplayJob> findLatestOf(String tenant, int limit) {
        return jdbc.query(JOB + " where tenant = ?" + LATEST + limit + " rows only", (row, number) -> job(row), tenant);
    }

    List<ReplayJob> findRunning() {
        return jdbc.query(JOB + " where state = ?", (row, number) -> job(row), text(State.RUNNING));
    }

    /** @return false if the job was not planned any more */
    boolean start(UUID id, Instant at) {
        return jdbc.update(
                        "update replay_job set state = ?, started_at = ? where id = ? and state = ?",
                        text(State.RUNNING),
                        utc(at),
                        id,
                        text(State.PLANNED))
                == 1;
    }

    void end(UUID id, State state, Instant at, String report) {
        jdbc.update(
                "update replay_job set state = ?, ended_at = ?, report = ? where id = ? and state = ?",
                text(state),
                utc(at),
                report,
                id,
                text(State.RUNNING));
        jdbc.update("delete from replay_claim where job_id = ?", id);
    }

    /** The primary key refuses a second claim on a handler. */
    void claim(String handler, UUID jobId, Instant at) {
        jdbc.update(
                "insert into replay_claim (handler, job_id, phase, renewed_at) values (?, ?, ?, ?)",
                handler,
                jobId,
                RESETTING,
                utc(at));
    }

    void renew(UUID jobId, String phase, Instant at) {
        jdbc.update("update replay_claim set phase = ?, renewed_at = ? where job_id = ?", phase, utc(at), jobId);
    }

    List<Claim> claims() {
        return jdbc.query(
                "select handler, job_id, phase, renewed_at from replay_claim",
                (row, number) -> new Claim(
                        row.getString("handler"),
                        row.getObject("job_id", UUID.class),
                        row.getString("phase"),
                        instant(row, "renewed_at")));
    }

    private static ReplayJob job(ResultSet row) throws SQLException {
        return new ReplayJob(
                row.getObject("id", UUID.class),
                row.getString("tenant"),
                row.getString("mode"),
                Arrays.asList(row.getString("handlers").split(",")),
                State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getString("requested_by"),
                instant(row, "planned_at"),
                optionalInstant(row, "started_at"),
                optionalInstant(row, "ended_at"),
                row.getString("consumer_version"),
                row.getString("plan"),
                row.getString("report"));
    }

    private static String text(State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static @Nullable Instant optionalInstant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
