package dev.ledger.app.testing;

import dev.ledger.app.LedgerApplication;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The real application on a random port, with the keys of {@link Key}. It can be stopped and started again on the same
 * database, and several may share one on PostgreSQL.
 */
public final class RunningLedger implements AutoCloseable {

    private final TestDatabase database;
    private final boolean ownsDatabase;
    private final List<String> arguments;
    private ConfigurableApplicationContext context;

    private RunningLedger(TestDatabase database, boolean ownsDatabase, List<String> arguments) {
        this.database = database;
        this.ownsDatabase = ownsDatabase;
        this.arguments = arguments;
    }

    /**
     * Starts on a database that the caller closes.
     *
     * @param properties further ones, as {@code name=value}
     */
    public static RunningLedger start(TestDatabase database, String... properties) {
        return started(database, false, true, properties);
    }

    /** Starts on a database that is closed with this ledger. */
    public static RunningLedger startAndOwn(TestDatabase database, String... properties) {
        return started(database, true, true, properties);
    }

    /** Starts as an operator would who has configured nothing but the database. */
    public static RunningLedger startWithoutKeys(TestDatabase database, String... properties) {
        return started(database, false, false, properties);
    }

    private static RunningLedger started(
            TestDatabase database, boolean ownsDatabase, boolean withKeys, String... properties) {
        Map<String, String> arguments = new LinkedHashMap<>();
        for (String argument : defaults(database)) {
            add(arguments, argument);
        }
        if (withKeys) {
            Key.arguments().forEach(argument -> add(arguments, argument));
        }
        for (String property : properties) {
            add(arguments, "--" + property);
        }
        RunningLedger ledger = new RunningLedger(database, ownsDatabase, List.copyOf(arguments.values()));
        ledger.start();
        return ledger;
    }

    private static List<String> defaults(TestDatabase database) {
        List<String> arguments = new ArrayList<>(database.arguments());
        arguments.add("--server.port=0");
        arguments.add("--logging.level.root=warn");
        // It has not been verified with our H2, and says so at each start.
        arguments.add("--logging.level.org.flywaydb=error");
        arguments.add("--ledger.security.initial-key-file=" + database.folder().resolve("initial-key"));
        return arguments;
    }

    /** A later one replaces an earlier one; Spring would join them with a comma. */
    private static void add(Map<String, String> arguments, String argument) {
        arguments.put(argument.substring(0, argument.indexOf('=')), argument);
    }

    /** Starts again, after {@link #stop}. The port is another one. */
    public void start() {
        context = new SpringApplicationBuilder(LedgerApplication.class)
                .registerShutdownHook(false)
                .run(arguments.toArray(String[]::new));
    }

    /** Stops as an operator's signal does: gracefully. */
    public void stop() {
        context.close();
    }

    public void restart() {
        stop();
        start();
    }

    public TestDatabase database() {
        return database;
    }

    public int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    public URI url() {
        return URI.create("http://localhost:" + port());
    }

    /** The names of everything that Spring has made. */
    public List<String> beanNames() {
        return List.of(context.getBeanDefinitionNames());
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public <T> Collection<T> beans(Class<T> type) {
        return context.getBeansOfType(type).values();
    }

    /** Reads only: the pool's connections do not commit by themselves. */
    public JdbcTemplate jdbc() {
        return bean(JdbcTemplate.class);
    }

    public LedgerClient client(Key key) {
        return client(key.secret());
    }

    /** @param token any bearer token; an empty one for a caller who sends none */
    public LedgerClient client(String token) {
        return new LedgerClient(url(), token);
    }

    /** How many operations the event store holds, of all tenants. */
    public long storedOperations() {
        return jdbc().queryForObject("select count(*) from domain_event", Long.class);
    }

    /** How many operations the event store holds of one account. */
    public long storedOperations(Key key, String account) {
        return jdbc().queryForObject(
                        "select count(*) from domain_event where aggregate_identifier = ?",
                        Long.class,
                        key.tenant() + "/" + account);
    }

    /** Names the database in the reports of tests that run on both. */
    @Override
    public String toString() {
        return database.kind().name();
    }

    @Override
    public void close() {
        stop();
        if (ownsDatabase) {
            database.close();
        }
    }
}
