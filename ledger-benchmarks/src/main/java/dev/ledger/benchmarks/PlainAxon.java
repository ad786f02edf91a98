package dev.ledger.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.ledger.domain.balance.AccountKey;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.BalanceAggregate;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.RecordedOperations;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.common.jdbc.UnitOfWorkAwareConnectionProviderWrapper;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.AggregateConfigurer;
import org.axonframework.config.Configuration;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.eventsourcing.eventstore.jdbc.JdbcEventStorageEngine;
import org.axonframework.eventsourcing.eventstore.jdbc.PostgresEventTableFactory;
import org.axonframework.serialization.jackson3.Jackson3Serializer;
import org.axonframework.spring.jdbc.SpringDataSourceConnectionProvider;
import org.axonframework.spring.messaging.unitofwork.SpringTransactionManager;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** The same aggregate as Axon runs it without being told otherwise: no cache, a transaction for each command. 32 threads. */
final class PlainAxon implements Contender {

    private static final int THREADS = 32;

    private final HikariDataSource pool;
    private final Configuration axon;
    private final CommandGateway commands;

    PlainAxon(Postgres postgres) throws SQLException {
        pool = Postgres.pool(postgres.newDatabase(), THREADS + 4);
        TransactionManager transactions = new SpringTransactionManager(new DataSourceTransactionManager(pool));
        Jackson3Serializer serializer = Jackson3Serializer.builder().build();
        JdbcEventStorageEngine storage = JdbcEventStorageEngine.builder()
                .connectionProvider(
                        new UnitOfWorkAwareConnectionProviderWrapper(new SpringDataSourceConnectionProvider(pool)))
                .transactionManager(transactions)
                .eventSerializer(serializer)
                .snapshotSerializer(serializer)
                .build();
        transactions.executeInTransaction(() -> storage.createSchema(PostgresEventTableFactory.INSTANCE));
        axon = DefaultConfigurer.defaultConfiguration(false)
                .configureSerializer(configuration -> serializer)
                .configureTransactionManager(configuration -> transactions)
                .configureCommandBus(configuration -> SimpleCommandBus.builder()
                        .transactionManager(transactions)
                        .build())
                .configureEmbeddedEventStore(configuration -> storage)
                .registerComponent(RecordedOperations.class, configuration -> (command, last) -> Optional.empty())
                .registerComponent(Clock.class, configuration -> Clock.systemUTC())
                .configureAggregate(AggregateConfigurer.defaultConfiguration(BalanceAggregate.class))
                .start();
        commands = axon.commandGateway();
    }

    @Override
    public String name() {
        return "plain Axon";
    }

    @Override
    public Round run(Scenario scenario, Duration time) throws Exception {
        return Blocking.run(
                THREADS,
                time,
                operation -> commands.sendAndWait(new ApplyDelta(
                        Operation.of(new AccountKey("bench", scenario.account(operation)), "op-" + operation, 1))));
    }

    @Override
    public long stored() {
        return Counting.count(pool, "select count(*) from DomainEventEntry");
    }

    @Override
    public void close() {
        axon.shutdown();
        pool.close();
    }
}
