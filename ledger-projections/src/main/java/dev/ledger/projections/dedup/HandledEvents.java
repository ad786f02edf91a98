package dev.ledger.projections.dedup;

import dev.ledger.projections.sql.ProjectionSql;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The records of what each handler has handled: (tenant, handler, event id), digest, handler version. They commit with
 * what the handler wrote and with its token, or not at all: a failed delivery leaves nothing that would make its retry a
 * duplicate (K33).
 */
public final class HandledEvents {

    private static final String DELIVERIES = "select handler_version, 'applied', 1, handled_at from handled_event"
            + " where tenant = ? and handler = ? and event_id = ? union all"
            + " select h.handler_version, 'duplicate', r.repeats, r.last_at from handled_event_repeat r"
            + " left join handled_event h on h.tenant = r.tenant and h.handler = r.handler and h.event_id = r.event_id"
            + " where r.tenant = ? and r.handler = ? and r.event_id = ? union all"
            + " select handler_version, 'conflict', 1, detected_at from handled_event_conflict"
            + " where tenant = ? and handler = ? and event_id = ?";

    private final ProjectionSql sql;
    private final JdbcTemplate jdbc;

    public HandledEvents(ProjectionSql sql, JdbcTemplate jdbc) {
        this.sql = sql;
        this.jdbc = jdbc;
    }

    /**
     * Claims a batch in one round trip, and a second one if some of it was handled before.
     *
     * @param offered the digest of each event
     * @return the digest under which each event that was handled before is recorded; what is not in it is now claimed
     */
    Map<EventKey, String> claim(String handler, String handlerVersion, Map<EventKey, String> offered) {
        Map<EventKey, String> inKeyOrder = new TreeMap<>(EventKey.ORDER);
        inKeyOrder.putAll(offered);
        Set<EventKey> first = sql.claim(handler, handlerVersion, inKeyOrder);
        if (first.size() == offered.size()) {
            return Map.of();
        }
        Map<EventKey, String> before = new HashMap<>(offered);
        before.keySet().removeAll(first);
        return sql.claimed(handler, before.keySet());
    }

    /** Keeps what was offered under an id that is recorded with another digest. Once for each digest. */
    void keepConflict(
            String handler, String handlerVersion, EventKey key, String recorded, String offered, String event) {
        jdbc.update(
                "insert into handled_event_conflict (tenant, handler, event_id, offered_digest, recorded_digest,"
                        + " handler_version, offered_event, detected_at) select o.tenant, o.handler, o.event_id,"
                        + " o.offered_digest, ?, ?, ?, current_timestamp from (select cast(? as varchar(128)) as tenant,"
                        + " cast(? as varchar(128)) as handler, cast(? as uuid) as event_id,"
                        + " cast(? as varchar(128)) as offered_digest) o where not exists (select 1 from"
                        + " handled_event_conflict c where c.tenant = o.tenant and c.handler = o.handler"
                        + " and c.event_id = o.event_id and c.offered_digest = o.offered_digest)",
                recorded,
                handlerVersion,
                event,
                key.tenant(),
                handler,
                key.eventId(),
                offered);
    }

    void countRepeats(String handler, SortedMap<EventKey, Integer> repeats) {
        sql.countRepeats(handler, repeats);
    }

    /**
     * What is on record of the deliveries of one event: the one that took effect, the repeats together, and each content
     * that was a conflict.
     *
     * @param handlers to ask for
     */
    public List<HandledDelivery> deliveries(Collection<String> handlers, EventKey key) {
        List<HandledDelivery> deliveries = new ArrayList<>();
        for (String handler : handlers) {
            deliveries.addAll(jdbc.query(
                    DELIVERIES,
                    (row, number) -> new HandledDelivery(
                            handler,
                            row.getString(1),
                            row.getString(2),
                            row.getLong(3),
                            row.getObject(4, OffsetDateTime.class).toInstant()),
                    key.tenant(),
                    handler,
                    key.eventId(),
                    key.tenant(),
                    handler,
                    key.eventId(),
                    key.tenant(),
                    handler,
                    key.eventId()));
        }
        return deliveries;
    }

    /** For a reset, in its transaction. Only a projection may forget: an effect's records survive. */
    public void forget(String handler) {
        jdbc.update("delete from handled_event where handler = ?", handler);
    }
}
