package dev.ledger.projections.sql;

import dev.ledger.domain.balance.CanonicalContent;
import dev.ledger.domain.balance.DeltaApplied;
import dev.ledger.projections.balance.AccountChange;
import dev.ledger.projections.dedup.EventKey;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Arrays carry a whole batch in one statement that PostgreSQL parses and plans once. */
public final class PostgresProjectionSql implements ProjectionSql {

    private static final String CLAIM = "insert into handled_event (tenant, handler, event_id, digest, handler_version)"
            + " select o.tenant, ?, o.event_id, o.digest, ?"
            + " from unnest(?::text[], ?::uuid[], ?::text[]) as o(tenant, event_id, digest)"
            + " on conflict do nothing returning tenant, event_id";

    private static final String CLAIMED = "select h.tenant, h.event_id, h.digest"
            + " from unnest(?::text[], ?::uuid[]) as o(tenant, event_id)"
            + " join handled_event h on h.tenant = o.tenant and h.handler = ? and h.event_id = o.event_id";

    private static final String COUNT_REPEATS =
            "insert into handled_event_repeat as r (tenant, handler, event_id, repeats, last_at)"
                    + " select o.tenant, ?, o.event_id, o.repeats, now()"
                    + " from unnest(?::text[], ?::uuid[], ?::bigint[]) as o(tenant, event_id, repeats)"
                    + " on conflict (tenant, handler, event_id) do update set"
                    + " repeats = r.repeats + excluded.repeats, last_at = excluded.last_at";

    private static final String MOVE_BALANCES =
            "insert into account_balance as b (tenant, account, balance, sequence, operations, updated_at)"
                    + " select * from unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[],"
                    + " ?::timestamptz[]) on conflict (tenant, account) do update set"
                    + " balance = case when excluded.sequence > b.sequence then excluded.balance else b.balance end,"
                    + " updated_at = case when excluded.sequence > b.sequence then excluded.updated_at"
                    + " else b.updated_at end,"
                    + " sequence = greatest(b.sequence, excluded.sequence),"
                    + " operations = b.operations + excluded.operations";

    private static final String ADD_OPERATIONS =
            "insert into account_operation (tenant, account, sequence, operation_id, delta, balance, digest,"
                    + " handler_version, recorded_at, occurred_at, memo, caused_by, attributes)"
                    + " select * from unnest(?::text[], ?::text[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[],"
                    + " ?::text[], ?::text[], ?::timestamptz[], ?::text[], ?::text[], ?::text[], ?::text[])";

    private final JdbcTemplate jdbc;

    public PostgresProjectionSql(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Set<EventKey> claim(String handler, String handlerVersion, Map<EventKey, String> offered) {
        Set<EventKey> first = new HashSet<>();
        jdbc.query(
                CLAIM,
                statement -> {
                    statement.setString(1, handler);
                    statement.setString(2, handlerVersion);
                    array(statement, 3, "text", offered.keySet(), EventKey::tenant);
                    array(statement, 4, "uuid", offered.keySet(), EventKey::eventId);
                    array(statement, 5, "text", offered.values(), digest -> digest);
                },
                row -> {
                    first.add(new EventKey(row.getString(1), row.getObject(2, UUID.class)));
                });
        return first;
    }

    @Override
    public Map<EventKey, String> claimed(String handler, Set<EventKey> keys) {
        Map<EventKey, String> digests = new HashMap<>();
        jdbc.query(
                CLAIMED,
                statement -> {
                    array(statement, 1, "text", keys, EventKey::tenant);
                    array(statement, 2, "uuid", keys, EventKey::eventId);
                    statement.setString(3, handler);
                },
                row -> {
                    digests.put(new EventKey(row.getString(1), row.getObject(2, UUID.class)), row.getString(3));
                });
        return digests;
    }

    @Override
    public void countRepeats(String handler, SortedMap<EventKey, Integer> repeats) {
        jdbc.update(COUNT_REPEATS, statement -> {
            statement.setString(1, handler);
            array(statement, 2, "text", repeats.keySet(), EventKey::tenant);
            array(statement, 3, "uuid", repeats.keySet(), EventKey::eventId);
            array(statement, 4, "bigint", repeats.values(), Integer::longValue);
        });
    }

    @Override
    public void moveBalances(List<AccountChange> changes) {
        jdbc.update(MOVE_BALANCES, statement -> {
            array(statement, 1, "text", changes, AccountChange::tenant);
            array(statement, 2, "text", changes, AccountChange::account);
            array(statement, 3, "bigint", changes, AccountChange::balance);
            array(statement, 4, "bigint", changes, AccountChange::sequence);
            array(statement, 5, "bigint", changes, AccountChange::operations);
            array(statement, 6, "text", changes, change -> change.updatedAt().toString());
        });
    }

    @Override
    public void addOperations(List<DeltaApplied> events) {
        jdbc.update(ADD_OPERATIONS, statement -> {
            array(statement, 1, "text", events, DeltaApplied::tenant);
            array(statement, 2, "text", events, DeltaApplied::account);
            array(statement, 3, "bigint", events, DeltaApplied::sequence);
            array(statement, 4, "text", events, DeltaApplied::operationId);
            array(statement, 5, "bigint", events, DeltaApplied::delta);
            array(statement, 6, "bigint", events, DeltaApplied::balance);
            array(statement, 7, "text", events, DeltaApplied::digest);
            array(statement, 8, "text", events, DeltaApplied::handlerVersion);
            array(statement, 9, "text", events, event -> event.recordedAt().toString());
            array(statement, 10, "text", events, event -> text(event.occurredAt()));
            array(statement, 11, "text", events, DeltaApplied::memo);
            array(statement, 12, "text", events, DeltaApplied::causedBy);
            array(statement, 13, "text", events, event -> attributes(event));
        });
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static <T> void array(
            PreparedStatement statement,
            int position,
            String type,
            Collection<T> rows,
            Function<T, ? extends @Nullable Object> value)
            throws SQLException {
        statement.setArray(
                position,
                statement
                        .getConnection()
                        .createArrayOf(type, rows.stream().map(value).toArray()));
    }

    private static @Nullable String attributes(DeltaApplied event) {
        return event.attributes() == null ? null : CanonicalContent.of(event.attributes());
    }
}
