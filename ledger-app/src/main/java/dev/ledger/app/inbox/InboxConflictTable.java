package dev.ledger.app.inbox;

import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.JdbcTemplate;

/** The SQL on {@code inbox_conflict}: what was offered under an id that belongs to other content. Never overwritten. */
final class InboxConflictTable {

    private static final String KEEP = "insert into inbox_conflict (tenant, handler, event_id, offered_digest,"
            + " recorded_digest, handler_version, offered_content, detected_at)"
            + " select o.tenant, o.handler, o.event_id, o.offered_digest, ?, ?, ?, cast(? as timestamp with time zone)"
            + " from (select cast(? as varchar(128)) as tenant, cast(? as varchar(128)) as handler,"
            + " cast(? as varchar(128)) as event_id, cast(? as varchar(128)) as offered_digest) o"
            + " where not exists (select 1 from inbox_conflict c where c.tenant = o.tenant and c.handler = o.handler"
            + " and c.event_id = o.event_id and c.offered_digest = o.offered_digest)";

    private final JdbcTemplate jdbc;

    InboxConflictTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Once for each digest; how often it came is told by the deliveries. */
    void keep(InboxRecord recorded, InboxMessage offered, String handlerVersion, Instant at) {
        jdbc.update(
                KEEP,
                recorded.digest(),
                handlerVersion,
                offered.content(),
                at.atOffset(ZoneOffset.UTC),
                recorded.key().tenant(),
                recorded.key().handler(),
                recorded.key().eventId(),
                offered.digest().text());
    }
}
