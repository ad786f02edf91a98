package dev.ledger.projections.sql;

import dev.ledger.domain.balance.CanonicalContent;
import dev.ledger.domain.balance.DeltaApplied;
import dev.ledger.projections.balance.AccountChange;
import dev.ledger.projections.dedup.EventKey;
import java.sql.Connection;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** H2 runs in this process: a statement for each row costs no round trip. */
public final class H2ProjectionSql implements ProjectionSql {

    private static final String CLAIM =
            "insert into handled_event (tenant, handler, event_id, digest, handler_version) values (?, ?, ?, ?, ?)";

    /** A join, since H2 scans the whole table for {@code event_id = any (?)}. */
    private static final String CLAIMED =
            "select h.tenant, h.event_id, h.digest from unnest(?, ?) as o(tenant, event_id)"
                    + " join handled_event h on h.tenant = o.tenant and h.handler = ? and h.event_id = o.event_id";

    private static final String COUNT_REPEATS = "merge into handled_event_repeat r using (select"
            + " cast(? as varchar(128)) as tenant, cast(? as varchar(128)) as handler, cast(? as uuid) as event_id,"
            + " cast(? as bigint) as repeats) n"
            + " on r.tenant = n.tenant and r.handler = n.handler and r.event_id = n.event_id"
            + " when matched then update set repeats = r.repeats + n.repeats, last_at = current_timestamp"
            + " when not matched then insert (tenant, handler, event_id, repeats, last_at)"
            + " values (n.tenant, n.handler, n.event_id, n.repeats, current_timestamp)";

    private static final String MOVE_BALANCES = "merge into account_balance b using (select cast(? as varchar(128)) as"
            + " tenant, cast(? as varchar(128)) as account, cast(? as bigint) as balance, cast(? as bigint) as sequence,"
            + " cast(? as bigint) as operations, cast(? as timestamp(6) with time zone) as updated_at) n"
            + " on b.tenant = n.tenant and b.account = n.account"
            + " when matched then update set"
            + " balance = case when n.sequence > b.sequence then n.balance else b.balance end,"
            + " updated_at = case when n.sequence > b.sequence then n.updated_at else b.updated_at end,"
            + " sequence = greatest(b.sequence, n.sequence), operations = b.operations + n.operations"
            + " when not matched then insert (tenant, account, balance, sequence, operations, updated_at)"
            + " values (n.tenant, n.account, n.balance, n.sequence, n.operations, n.updated_at)";

    private static final String ADD_OPERATIONS =
            "insert into account_operation (tenant, account, sequence, operation_id, delta, balance, digest,"
                    + " handler_version, recorded_at, occurred_at, memo, caused_by, attributes)"
                    + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final JdbcTemplate jdbc;

    public H2ProjectionSql(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** A claim that another transaction commits in between breaks the primary key, and the batch comes again. */
    @Override
    public Set<EventKey> claim(String handler, String handlerVersion, Map<EventKey, String> offered) {
        Set<EventKey> first = new HashSet<>(offered.keySet());
        first.removeAll(claimed(handler, offered.keySet()).keySet());
        List<EventKey> rows = offered.keySet().stream().filter(first::contains).toList();
        jdbc.batchUpdate(CLAIM, rows, Math.max(1, rows.size()), (statement, key) -> {
            statement.setString(1, key.tenant());
            statement.setString(2, handler);
            statement.setObject(3, key.eventId());
            statement.setString(4, offered.get(key));
            statement.setString(5, handlerVersion);
        });
        return first;
    }

    @Override
    public Map<EventKey, String> claimed(String handler, Set<EventKey> keys) {
        Map<EventKey, String> digests = new HashMap<>();
        jdbc.query(
                CLAIMED,
                statement -> {
                    Connection connection = statement.getConnection();
                    statement.setArray(
                            1,
                            connection.createArrayOf(
                                    "varchar",
                                    keys.stream().map(EventKey::tenant).toArray()));
                    statement.setArray(
                            2,
                            connection.createArrayOf(
                                    "uuid", keys.stream().map(EventKey::eventId).toArray()));
                    statement.setString(3, handler);
                },
                row -> {
                    digests.put(new EventKey(row.getString(1), row.getObject(2, UUID.class)), row.getString(3));
                });
        return digests;
    }

    @Override
    public void countRepeats(String handler, SortedMap<EventKey, Integer> repeats) {
        jdbc.batchUpdate(COUNT_REPEATS, repeats.entrySet(), repeats.size(), (statement, repeat) -> {
            statement.setString(1, repeat.getKey().tenant());
            statement.setString(2, handler);
            statement.setObject(3, repeat.getKey().eventId());
            statement.setLong(4, repeat.getValue());
        });
    }

    @Override
    public void moveBalances(List<AccountChange> changes) {
        jdbc.batchUpdate(MOVE_BALANCES, changes, changes.size(), (statement, change) -> {
            statement.setString(1, change.tenant());
            statement.setString(2, change.account());
            statement.setLong(3, change.balance());
            statement.setLong(4, change.sequence());
            statement.setLong(5, change.operations());
            statement.setObject(6, utc(change.updatedAt()));
        });
    }

    @Override
    public void addOperations(List<DeltaApplied> events) {
        jdbc.batchUpdate(ADD_OPERATIONS, events, events.size(), (statement, event) -> {
            statement.setString(1, event.tenant());
            statement.setString(2, event.account());
            statement.setLong(3, event.sequence());
            statement.setString(4, event.operationId());
            statement.setLong(5, event.delta());
            statement.setLong(6, event.balance());
            statement.setString(7, event.digest());
            statement.setString(8, event.handlerVersion());
            statement.setObject(9, utc(event.recordedAt()));
            statement.setString(
                    10, event.occurredAt() == null ? null : event.occurredAt().toString());
            statement.setString(11, event.memo());
            statement.setString(12, event.causedBy());
            statement.setString(13, attributes(event));
        });
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable String attributes(DeltaApplied event) {
        return event.attributes() == null ? null : CanonicalContent.of(event.attributes());
    }
}
