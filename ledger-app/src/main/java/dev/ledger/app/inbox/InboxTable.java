package dev.ledger.app.inbox;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * The SQL on {@code inbox}: what each handler has handled, with the result. The same on both databases. Its unique
 * constraint is the arbiter between two deliveries.
 */
final class InboxTable {

    private static final String COLUMNS =
            "i.tenant, i.handler, i.event_id, i.digest, i.handler_version, i.result," + " i.recorded_at from inbox i";

    private static final String FIND = "select " + COLUMNS + " join unnest(cast(? as varchar array),"
            + " cast(? as varchar array), cast(? as varchar array)) as o(tenant, handler, event_id)"
            + " on i.tenant = o.tenant and i.handler = o.handler and i.event_id = o.event_id";

    private static final String INSERT =
            "insert into inbox (tenant, handler, event_id, digest, handler_version, result, recorded_at)"
                    + " values (?, ?, ?, ?, ?, ?, ?)";

    private static final RowMapper<InboxRecord> ROW = (row, number) -> new InboxRecord(
            new InboxKey(row.getString(1), row.getString(2), row.getString(3)),
            row.getString(4),
            row.getString(5),
            row.getString(6),
            row.getObject(7, OffsetDateTime.class).toInstant());

    private final JdbcTemplate jdbc;

    InboxTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** What is recorded of these messages, in one round trip. Whatever is seen here has committed. */
    Map<InboxKey, InboxRecord> find(Collection<InboxKey> keys) {
        Map<InboxKey, InboxRecord> records = new HashMap<>();
        jdbc.query(
                        FIND,
                        statement -> {
                            Connection connection = statement.getConnection();
                            statement.setArray(1, texts(connection, keys, InboxKey::tenant));
                            statement.setArray(2, texts(connection, keys, InboxKey::handler));
                            statement.setArray(3, texts(connection, keys, InboxKey::eventId));
                        },
                        ROW)
                .forEach(row -> records.put(row.key(), row));
        return records;
    }

    /** Runs in the transaction of the group; a record that another transaction holds is waited for. */
    void insert(List<InboxRecord> records) {
        jdbc.batchUpdate(INSERT, records, records.size(), (statement, row) -> {
            statement.setString(1, row.key().tenant());
            statement.setString(2, row.key().handler());
            statement.setString(3, row.key().eventId());
            statement.setString(4, row.digest());
            statement.setString(5, row.handlerVersion());
            statement.setString(6, row.result());
            statement.setObject(7, row.recordedAt().atOffset(ZoneOffset.UTC));
        });
    }

    private static Array texts(Connection connection, Collection<InboxKey> keys, Function<InboxKey, String> part)
            throws SQLException {
        return connection.createArrayOf("varchar", keys.stream().map(part).toArray());
    }
}
