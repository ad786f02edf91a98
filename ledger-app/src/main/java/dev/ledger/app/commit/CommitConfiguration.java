package dev.ledger.app.commit;

import dev.ledger.app.store.Database;
import dev.ledger.app.store.H2DurableTransactionManager;
import dev.ledger.app.store.LedgerEventStorageEngine;
import dev.ledger.app.store.LedgerEventStore;
import dev.ledger.domain.balance.BalanceAggregate;
import dev.ledger.domain.balance.RecordedOperations;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.axonframework.common.lock.NullLockFactory;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.AggregateConfigurer;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.messaging.correlation.CorrelationDataProvider;
import org.axonframework.messaging.interceptors.CorrelationDataInterceptor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** The command side. */
@Configuration(proxyBeanMethods = false)
class CommitConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    RecordedOperations recordedOperations(LedgerEventStorageEngine store, LedgerEventStore events) {
        return new StoredOperations(store, events);
    }

    @Bean
    AccountCache accountCache(CommitProperties properties) {
        return new AccountCache(properties.cachedAccounts());
    }

    @Bean
    CorrelationDataProvider correlation() {
        return new Correlation();
    }

    @Bean
    GroupCommitCommandBus commandBus(
            CommitProperties properties,
            TransactionManager transactionManager,
            Database database,
            JdbcTemplate jdbc,
            MeterRegistry meters,
            CorrelationDataProvider correlation,
            LedgerEventStorageEngine store,
            AccountCache accounts) {
        TransactionManager durable = switch (database) {
            case H2 -> new H2DurableTransactionManager(transactionManager, jdbc);
            case POSTGRESQL -> transactionManager;
        };
        GroupCommitCommandBus bus = new GroupCommitCommandBus(properties, durable, meters);
        bus.registerHandlerInterceptor(new CorrelationDataInterceptor<>(correlation));
        bus.registerHandlerInterceptor(new ReadAheadInterceptor(store, accounts));
        return bus;
    }

    @Bean
    NestedOperations nestedOperations(GroupCommitCommandBus bus, LedgerEventStorageEngine store) {
        return new NestedOperations(bus, store);
    }

    /** No lock: a partition's one thread is the lock in this process, the event store's constraints are between two. */
    @Bean
    ConfigurerModule balanceAggregate(AccountCache accounts) {
        return configurer ->
                configurer.configureAggregate(AggregateConfigurer.defaultConfiguration(BalanceAggregate.class)
                        .configureCache(configuration -> accounts)
                        .configureLockFactory(configuration -> NullLockFactory.INSTANCE)
                        .configureCreationPolicyAggregateFactory(
                                configuration -> id -> new BalanceAggregate(String.valueOf(id))));
    }
}
