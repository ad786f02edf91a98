package dev.ledger.app.replay;

import dev.ledger.app.projection.TokenPositions;
import dev.ledger.projections.balance.AccountBalances;
import dev.ledger.projections.operation.AccountOperations;
import java.time.Clock;
import java.util.Map;
import org.axonframework.config.EventProcessingConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
@EnableScheduling
class ReplayConfiguration {

    private static final Map<String, String> PROJECTIONS =
            Map.of(AccountBalances.NAME, AccountBalances.VERSION, AccountOperations.NAME, AccountOperations.VERSION);

    @Bean
    Replays replays(
            JdbcTemplate jdbc,
            TokenPositions positions,
            EventProcessingConfiguration processing,
            PlatformTransactionManager transactions,
            JsonMapper json,
            Clock clock) {
        Processors processors = new Processors(PROJECTIONS, processing, positions, jdbc);
        return new Replays(
                new ReplayTables(jdbc),
                new ReplayReport(jdbc),
                processors,
                new TransactionTemplate(transactions),
                json,
                clock);
    }

    @Bean
    SchedulingConfigurer watchOfReplays(Replays replays, ReplayProperties properties) {
        return tasks -> tasks.addFixedDelayTask(replays::watch, properties.watchInterval());
    }
}
