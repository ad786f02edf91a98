package dev.ledger.app.inbox;

import java.time.Clock;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;

/** Keeps a row of everything that happened to an order. */
final class OrderAudit implements InboxHandler {

    private final JdbcTemplate jdbc;
    private final Clock clock;

    OrderAudit(JdbcTemplate jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "order-audit";
    }

    @Override
    public String version() {
        return "1";
    }

    @Override
    public boolean accepts(String type) {
        return type.startsWith("order.");
    }

    @Override
    public Map<String, Object> handle(InboxMessage message, Ledger ledger) {
        jdbc.update(
                "insert into order_audit (tenant, event_id, type, source, subject, content, recorded_at)"
                        + " values (?, ?, ?, ?, ?, ?, ?)",
                message.tenant(),
                message.id(),
                message.type(),
                message.source(),
                message.subject(),
                message.content(),
                clock.instant().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC));
        return Map.of("audited", message.type());
    }
}
