package dev.ledger.app.store;

import dev.ledger.domain.balance.BalanceAggregate;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.axonframework.common.jdbc.ConnectionProvider;
import org.axonframework.common.jdbc.UnitOfWorkAwareConnectionProviderWrapper;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.eventhandling.tokenstore.jdbc.JdbcTokenStore;
import org.axonframework.eventhandling.tokenstore.jdbc.TokenSchema;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.eventsourcing.eventstore.jdbc.JdbcEventStorageEngine;
import org.axonframework.serialization.upcasting.event.EventUpcaster;
import org.axonframework.serialization.upcasting.event.EventUpcasterChain;
import org.axonframework.spring.jdbc.SpringDataSourceConnectionProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

/** The event store and the tokens, in one database. */
@Configuration(proxyBeanMethods = false)
class StoreConfiguration {

    /** How many rows a processor's query covers; Axon's default of 100 is a round trip for every 100 events. */
    private static final int EVENTS_PER_QUERY = 1000;

    /** Longer than any transaction of the ledger may take: after that, a gap in the global index is a rolled-back one. */
    private static final Duration GAP_TIMEOUT = Duration.ofSeconds(60);

    /** How soon an instance sees what another one appended; its own appends wake it at once. */
    private static final long FETCH_DELAY_MILLIS = 100;

    /**
     * How soon the work of an instance that was killed is taken over: before anybody's patience with a read model ends. A
     * batch that takes longer loses its claim, is rolled back and comes again (K16).
     */
    private static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(4);

    private static final String LOCK_TIMEOUT = "ledger.commit.lock-timeout";

    private static final Duration DEFAULT_LOCK_TIMEOUT = Duration.ofSeconds(1);

    @Bean
    Database database(DataSource dataSource) {
        return Database.of(dataSource);
    }

    /** Static and from the environment, since it has to be there before the pool is. */
    @Bean
    static ConnectionDefaults connectionDefaults(Environment environment) {
        return new ConnectionDefaults(
                Binder.get(environment).bind(LOCK_TIMEOUT, Duration.class).orElse(DEFAULT_LOCK_TIMEOUT));
    }

    /** For events, tokens and metadata alike. */
    @Bean
    @Primary
    LedgerEventSerializer serializer() {
        return new LedgerEventSerializer();
    }

    @Bean
    ConnectionProvider connectionProvider(DataSource dataSource) {
        return new UnitOfWorkAwareConnectionProviderWrapper(new SpringDataSourceConnectionProvider(dataSource));
    }

    @Bean
    EventTable eventTable(Database database, JdbcTemplate jdbc) {
        return switch (database) {
            case H2 -> new H2EventTable(jdbc);
            case POSTGRESQL -> new PostgresEventTable(jdbc);
        };
    }

    @Bean
    LedgerEventStorageEngine eventStorageEngine(
            LedgerEventSerializer serializer,
            ConnectionProvider connectionProvider,
            TransactionManager transactionManager,
            EventTable eventTable,
            ObjectProvider<EventUpcaster> upcasters) {
        JdbcEventStorageEngine.Builder builder = JdbcEventStorageEngine.builder()
                .eventSerializer(serializer)
                .snapshotSerializer(serializer)
                .upcasterChain(new EventUpcasterChain(upcasters.orderedStream().toList()))
                .persistenceExceptionResolver(StoreConfiguration::isUniqueViolation)
                .connectionProvider(connectionProvider)
                .transactionManager(transactionManager)
                .gapTimeout((int) GAP_TIMEOUT.toMillis());
        builder.batchSize(EVENTS_PER_QUERY);
        return new LedgerEventStorageEngine(builder, eventTable, BalanceAggregate.RETAINED_RECEIPTS);
    }

    private static boolean isUniqueViolation(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && "23505".equals(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    @Bean
    LedgerEventStore eventStore(LedgerEventStorageEngine storageEngine) {
        LedgerEventStore eventStore = new LedgerEventStore(EmbeddedEventStore.builder()
                .storageEngine(storageEngine)
                .fetchDelay(FETCH_DELAY_MILLIS)
                .timeUnit(TimeUnit.MILLISECONDS));
        eventStore.registerDispatchInterceptor(new EventIdentityInterceptor());
        return eventStore;
    }

    @Bean
    TokenStore tokenStore(ConnectionProvider connectionProvider, LedgerEventSerializer serializer) {
        return JdbcTokenStore.builder()
                .connectionProvider(connectionProvider)
                .serializer(serializer)
                .schema(TokenSchema.builder()
                        .setTokenTable("token_entry")
                        .setProcessorNameColumn("processor_name")
                        .setSegmentColumn("segment")
                        .setTokenColumn("token")
                        .setTokenTypeColumn("token_type")
                        .setTimestampColumn("claimed_at")
                        .setOwnerColumn("owner")
                        .build())
                .contentType(byte[].class)
                .claimTimeout(CLAIM_TIMEOUT)
                .build();
    }
}
