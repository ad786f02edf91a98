package dev.ledger.app.inbox;

import dev.ledger.app.commit.NestedOperations;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** The inbox and the two handlers that come with it. */
@Configuration(proxyBeanMethods = false)
class InboxConfiguration {

    @Bean
    DeliveryTable deliveryTable(JdbcTemplate jdbc) {
        return new DeliveryTable(jdbc);
    }

    @Bean
    Deliveries deliveries(DeliveryTable deliveryTable) {
        return deliveryTable::find;
    }

    @Bean
    MessageHandling messageHandling(
            JdbcTemplate jdbc, DeliveryTable deliveries, NestedOperations operations, JsonMapper json, Clock clock) {
        return new MessageHandling(
                new InboxTable(jdbc), deliveries, new InboxConflictTable(jdbc), operations, json, clock);
    }

    @Bean
    Inbox inbox(
            List<InboxHandler> handlers,
            CommandGateway commands,
            DeliveryTable deliveries,
            PlatformTransactionManager transactions,
            MeterRegistry meters,
            Clock clock) {
        return new Inbox(
                handlers,
                commands,
                new DeliveryRecorder(deliveries, new TransactionTemplate(transactions), meters, clock));
    }

    @Bean
    LoyaltyPoints loyaltyPoints() {
        return new LoyaltyPoints();
    }

    @Bean
    OrderAudit orderAudit(JdbcTemplate jdbc, Clock clock) {
        return new OrderAudit(jdbc, clock);
    }
}
