package dev.ledger.app.projection;

import dev.ledger.app.store.Database;
import dev.ledger.projections.balance.AccountBalances;
import dev.ledger.projections.dedup.DeduplicatingInterceptor;
import dev.ledger.projections.dedup.HandledEvents;
import dev.ledger.projections.operation.AccountOperations;
import dev.ledger.projections.sql.H2ProjectionSql;
import dev.ledger.projections.sql.PostgresProjectionSql;
import dev.ledger.projections.sql.ProjectionSql;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.config.EventProcessingConfigurer;
import org.axonframework.eventhandling.PropagatingErrorHandler;
import org.axonframework.eventhandling.TrackingEventProcessorConfiguration;
import org.axonframework.eventhandling.async.SequentialPerAggregatePolicy;
import org.axonframework.serialization.Serializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Each projection is a streaming processor of its own, with its token in the database that its rows are in. */
@Configuration(proxyBeanMethods = false)
class ProjectionConfiguration {

    private static final Map<String, String> VERSIONS =
            Map.of(AccountBalances.NAME, AccountBalances.VERSION, AccountOperations.NAME, AccountOperations.VERSION);

    /** Claims are renewed, and those of others looked at, well within their time to live. */
    private static final long CLAIM_INTERVAL_MILLIS = 1_000;

    @Bean
    ProjectionSql projectionSql(Database database, JdbcTemplate jdbc) {
        return switch (database) {
            case H2 -> new H2ProjectionSql(jdbc);
            case POSTGRESQL -> new PostgresProjectionSql(jdbc);
        };
    }

    @Bean
    TokenPositions tokenPositions(JdbcTemplate jdbc, Serializer serializer) {
        return new TokenPositions(jdbc, serializer);
    }

    @Bean
    HandledEvents handledEvents(ProjectionSql sql, JdbcTemplate jdbc) {
        return new HandledEvents(sql, jdbc);
    }

    @Bean
    AccountBalances accountBalances(ProjectionSql sql, HandledEvents handledEvents, JdbcTemplate jdbc) {
        return new AccountBalances(sql, handledEvents, jdbc);
    }

    @Bean
    AccountOperations accountOperations(ProjectionSql sql, HandledEvents handledEvents, JdbcTemplate jdbc) {
        return new AccountOperations(sql, handledEvents, jdbc);
    }

    /** An event that cannot be handled stops its segment, which tries again; it is never skipped (C7). */
    @Bean
    ConfigurerModule projectionProcessors(
            ProjectionProperties properties, HandledEvents handledEvents, MeterRegistry meters) {
        return configurer -> {
            EventProcessingConfigurer processing = configurer.eventProcessing();
            processing.registerDefaultListenerInvocationErrorHandler(
                    configuration -> PropagatingErrorHandler.instance());
            VERSIONS.forEach((name, version) -> {
                processing.registerSequencingPolicy(name, configuration -> SequentialPerAggregatePolicy.instance());
                processing.registerHandlerInterceptor(
                        name, configuration -> new DeduplicatingInterceptor(name, version, handledEvents, meters));
                register(processing, name, properties);
            });
        };
    }

    private static void register(EventProcessingConfigurer processing, String name, ProjectionProperties properties) {
        switch (properties.processor()) {
            case POOLED ->
                processing.registerPooledStreamingEventProcessor(
                        name,
                        configuration -> configuration.eventStore(),
                        (configuration, builder) ->
                                builder.batchSize(properties.batchSize()).initialSegmentCount(properties.segments()));
            case TRACKING ->
                processing.registerTrackingEventProcessor(
                        name,
                        configuration -> configuration.eventStore(),
                        configuration -> TrackingEventProcessorConfiguration.forParallelProcessing(
                                        properties.segments())
                                .andBatchSize(properties.batchSize())
                                .andEventAvailabilityTimeout(CLAIM_INTERVAL_MILLIS, TimeUnit.MILLISECONDS)
                                .andTokenClaimInterval(CLAIM_INTERVAL_MILLIS, TimeUnit.MILLISECONDS));
        }
    }
}
