package dev.ledger.app.inbox;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The SQL on {@code delivery}: every delivery that did not take effect. The one that did is the row of {@code inbox}, so
 * that a message which came once costs one row.
 */
final class DeliveryTable {

    private static final String INSERT =
            "insert into delivery (tenant, handler, event_id, handler_version, outcome, at, detail, replay)"
                    + " values (?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String BY_EVENT = "select tenant, handler, event_id, handler_version, '" + Delivery.APPLIED
            + "', recorded_at, cast(null as varchar), cast(null as varchar), 0 from inbox"
            + " where tenant = ? and event_id = ? union all"
            + " select tenant, handler, event_id, handler_version, outcome, at, detail, replay, id from delivery"
            + " where tenant = ? and event_id = ? order by 6, 9";

    private final JdbcTemplate jdbc;

    DeliveryTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void insert(List<Delivery> deliveries) {
        jdbc.batchUpdate(INSERT, deliveries, Math.max(1, deliveries.size()), (statement, delivery) -> {
            statement.setString(1, delivery.tenant());
            statement.setString(2, delivery.handler());
            statement.setString(3, delivery.eventId());
            statement.setString(4, delivery.handlerVersion());
            statement.setString(5, delivery.outcome());
            statement.setObject(6, delivery.at().atOffset(ZoneOffset.UTC));
            statement.setString(7, delivery.detail());
            statement.setString(8, delivery.replay());
        });
    }

    /** All deliveries of a message to all handlers, the effective ones included, in the order in which they were judged. */
    List<Delivery> find(String tenant, String eventId) {
        return jdbc.query(
                BY_EVENT,
                (row, number) -> new Delivery(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getObject(6, OffsetDateTime.class).toInstant(),
                        row.getString(7),
                        row.getString(8)),
                tenant,
                eventId,
                tenant,
                eventId);
    }
}
