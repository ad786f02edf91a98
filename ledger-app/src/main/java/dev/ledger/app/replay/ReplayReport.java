package dev.ledger.app.replay;

import dev.ledger.app.replay.ReplayJob.State;
import dev.ledger.projections.balance.AccountBalances;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/** What a replay would do, and what it did: business facts, not the length of a queue (E5). */
final class ReplayReport {

    /** Enough for a person to see what went wrong; the count tells how many there are. */
    private static final int DIFFERENCES_SHOWN = 1000;

    private static final String DIFFERENCES =
            " from replay_balance_before o left join account_balance n on n.tenant = o.tenant and n.account = o.account"
                    + " where o.job_id = ? and (n.account is null or n.sequence < o.sequence"
                    + " or (n.sequence = o.sequence and n.balance <> o.balance))";

    private final JdbcTemplate jdbc;

    ReplayReport(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** The dry run: counts for each type, day and tenant, first and last event. Reads the event store only. */
    Map<String, Object> plan() {
        Map<String, Object> plan = new LinkedHashMap<>();
        plan.put("events", count("select count(*) from domain_event"));
        plan.put("byType", grouped("payload_type"));
        plan.put("byDay", grouped("cast(recorded_at at time zone 'UTC' as date)"));
        plan.put(
                "byTenant",
                grouped("substring(aggregate_identifier from 1 for position('/' in aggregate_identifier) - 1)"));
        edge("asc").ifPresent(first -> plan.put("first", first));
        edge("desc").ifPresent(last -> plan.put("last", last));
        return plan;
    }

    private Map<String, Long> grouped(String key) {
        Map<String, Long> counts = new LinkedHashMap<>();
        jdbc.query(
                "select " + key + " as grouped, count(*) as events from domain_event group by " + key + " order by "
                        + key,
                row -> {
                    counts.put(row.getString("grouped"), row.getLong("events"));
                });
        return counts;
    }

    private Optional<Map<String, Object>> edge(String order) {
        return jdbc
                .query(
                        "select event_id, recorded_at from domain_event order by global_index " + order
                                + " fetch first 1 rows only",
                        (row, number) -> Map.<String, Object>of(
                                "eventId",
                                row.getString("event_id"),
                                "recordedAt",
                                row.getObject("recorded_at", OffsetDateTime.class)
                                        .toInstant()
                                        .toString()))
                .stream()
                .findFirst();
    }

    /** In the transaction of the caller, while nobody writes the read model. */
    void keepBefore(ReplayJob job) {
        if (job.handlers().contains(AccountBalances.NAME)) {
            jdbc.update(
                    "insert into replay_balance_before (job_id, tenant, account, balance, sequence)"
                            + " select cast(? as uuid), tenant, account, balance, sequence from account_balance",
                    job.id());
        }
    }

    /** Accounts that have gone on since are compared no further than that they have not gone back. */
    Map<String, Object> report(ReplayJob job, State state) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("id", job.id());
        report.put("mode", job.mode());
        report.put("handlers", job.handlers());
        report.put("state", state.name().toLowerCase(Locale.ROOT));
        report.put("requestedBy", job.requestedBy());
        report.put("consumerVersion", job.consumerVersion());
        report.put("uniqueFacts", count("select count(*) from domain_event"));
        report.put("applied", sum("select count(*) from handled_event where handler = ?", job.handlers()));
        report.put("duplicates", repeatedSince(job));
        report.put(
                "contentConflicts",
                sum("select count(*) from handled_event_conflict where handler = ?", job.handlers()));
        report.put("failures", state == State.FAILED ? 1 : 0);
        report.put("differences", count("select count(*)" + DIFFERENCES, job.id()));
        report.put("stateDifferences", differences(job));
        return report;
    }

    private List<Map<String, Object>> differences(ReplayJob job) {
        return jdbc.query(
                "select o.tenant, o.account, o.balance as balance_before, o.sequence as sequence_before,"
                        + " n.balance as balance_after, n.sequence as sequence_after" + DIFFERENCES
                        + " order by o.tenant, o.account fetch first " + DIFFERENCES_SHOWN + " rows only",
                (row, number) -> {
                    Map<String, Object> difference = new LinkedHashMap<>();
                    difference.put("tenant", row.getString("tenant"));
                    difference.put("account", row.getString("account"));
                    difference.put("balanceBefore", row.getLong("balance_before"));
                    difference.put("sequenceBefore", row.getLong("sequence_before"));
                    difference.put("balanceAfter", row.getObject("balance_after"));
                    difference.put("sequenceAfter", row.getObject("sequence_after"));
                    return difference;
                },
                job.id());
    }

    /** Events that came again to a handler that had handled them, and were skipped, since the replay was started. */
    private long repeatedSince(ReplayJob job) {
        Instant since = job.startedAt() == null ? job.plannedAt() : job.startedAt();
        return job.handlers().stream()
                .mapToLong(handler -> count(
                        "select count(*) from handled_event_repeat where handler = ? and last_at >= ?",
                        handler,
                        since.atOffset(ZoneOffset.UTC)))
                .sum();
    }

    private long sum(String sql, List<String> handlers) {
        return handlers.stream().mapToLong(handler -> count(sql, handler)).sum();
    }

    private long count(String sql, Object... arguments) {
        Long count = jdbc.queryForObject(sql, Long.class, arguments);
        return count == null ? 0 : count;
    }
}
