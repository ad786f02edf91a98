package dev.ledger.app.inbox;

import dev.ledger.domain.balance.AccountKey;
import dev.ledger.domain.balance.Operation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Handlers that each write a note and credit an account with one; all but the first do it in a way that must not pass
 * unnoticed. Given to a ledger by {@code spring.main.sources}.
 */
public final class FaultyHandlers {

    static final String SOURCES = "spring.main.sources=dev.ledger.app.inbox.FaultyHandlers";

    private static final String NOTE = "insert into note (event_id) values (?)";

    static void createTable(Connection connection) throws SQLException {
        connection
                .createStatement()
                .execute("create table if not exists note (event_id varchar(128) not null, text varchar(8),"
                        + " constraint note_once unique (event_id), constraint note_known check (text <> 'wrong'))");
    }

    @Bean
    static CommitFaults commitFaults() {
        return new CommitFaults();
    }

    @Bean
    InboxHandler sound(JdbcTemplate jdbc) {
        return handler("sound", message -> jdbc.update(NOTE, message.id()));
    }

    /** Takes a connection that no transaction knows of. */
    @Bean
    InboxHandler handOpened(DataSource dataSource) {
        return handler("hand-opened", message -> {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(true);
                note(connection, message);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** The same database, by another data source. */
    @Bean
    InboxHandler secondSource(Environment environment) {
        return handler("second-source", message -> {
            try (Connection connection = DriverManager.getConnection(
                    environment.getRequiredProperty("spring.datasource.url"),
                    environment.getRequiredProperty("spring.datasource.username"),
                    "")) {
                note(connection, message);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Leaves the work to a thread that has no part in the transaction. */
    @Bean
    InboxHandler handedOff(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
        return handler(
                "handed-off",
                message -> CompletableFuture.runAsync(() -> new TransactionTemplate(transactions)
                                .executeWithoutResult(status -> jdbc.update(NOTE, message.id())))
                        .join());
    }

    /** Lets an inner step mark the transaction, and goes on as if nothing were. */
    @Bean
    InboxHandler swallowing(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
        return handler("swallowing", message -> {
            try {
                new TransactionTemplate(transactions).executeWithoutResult(status -> {
                    jdbc.update(NOTE, message.id());
                    jdbc.update(NOTE, message.id());
                });
            } catch (DataAccessException e) {
                // The fault that is tested.
            }
        });
    }

    /** Breaks the constraint that the message's subject names. */
    @Bean
    InboxHandler violating(JdbcTemplate jdbc) {
        return handler("violating", message -> {
            switch (String.valueOf(message.subject())) {
                case "unique" -> jdbc.update("insert into note (event_id) values ('taken'), ('taken')");
                case "check" -> jdbc.update("insert into note (event_id, text) values (?, 'wrong')", message.id());
                case "length" -> jdbc.update("insert into note (event_id, text) values (?, '123456789')", message.id());
                case "null" -> jdbc.update("insert into note (event_id) values (null)");
                default -> throw new IllegalArgumentException("no such constraint");
            }
        });
    }

    /**
     * Fails after it has written everything, for some messages scattered by their ids. Three times for each of them: a
     * message that fails in a group is handled once more alone, so that one failure would never reach its sender.
     */
    @Bean
    InboxHandler flaky(JdbcTemplate jdbc) {
        Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
        return new NotingHandler("flaky", message -> jdbc.update(NOTE, message.id())) {
            @Override
            public Map<String, Object> handle(InboxMessage message, Ledger ledger) {
                Map<String, Object> result = super.handle(message, ledger);
                int run = runs.computeIfAbsent(message.id(), id -> new AtomicInteger())
                        .incrementAndGet();
                if (failsAtFirst(message.id()) && run <= 3) {
                    throw new IllegalStateException("not yet");
                }
                return result;
            }
        };
    }

    static boolean failsAtFirst(String id) {
        return Math.floorMod(id.hashCode(), 12) == 0;
    }

    /** Changes an account that it has not announced. */
    @Bean
    InboxHandler straying() {
        return new NotingHandler("straying", message -> {}) {
            @Override
            public Map<String, Object> handle(InboxMessage message, Ledger ledger) {
                return Map.of("balance", credit(message, "another", ledger));
            }
        };
    }

    private static InboxHandler handler(String name, Consumer<InboxMessage> note) {
        return new NotingHandler(name, note);
    }

    private static void note(Connection connection, InboxMessage message) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NOTE)) {
            statement.setString(1, message.id());
            statement.executeUpdate();
        }
    }

    private static class NotingHandler implements InboxHandler {

        private final String name;
        private final Consumer<InboxMessage> note;

        NotingHandler(String name, Consumer<InboxMessage> note) {
            this.name = name;
            this.note = note;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String version() {
            return "7";
        }

        @Override
        public boolean accepts(String type) {
            return true;
        }

        @Override
        public Optional<String> account(InboxMessage message) {
            return Optional.of(message.data().path("account").asString());
        }

        @Override
        public Map<String, Object> handle(InboxMessage message, Ledger ledger) {
            note.accept(message);
            return Map.of("balance", credit(message, account(message).orElseThrow(), ledger));
        }

        long credit(InboxMessage message, String account, Ledger ledger) {
            return ledger.apply(new Operation(
                            new AccountKey(message.tenant(), account),
                            message.operationId(name),
                            1,
                            null,
                            null,
                            message.id(),
                            Collections.emptySortedMap()))
                    .balance();
        }
    }
}
