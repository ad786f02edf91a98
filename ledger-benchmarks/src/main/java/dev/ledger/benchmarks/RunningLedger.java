package dev.ledger.benchmarks;

import dev.ledger.app.LedgerApplication;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.EventProcessor;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The real application in this process, with everything that it does in production. */
final class RunningLedger implements AutoCloseable {

    static final String KEY = "benchmark-key-0000000000000000";

    private final ConfigurableApplicationContext context;

    private RunningLedger(List<String> arguments) {
        context = new SpringApplicationBuilder(LedgerApplication.class)
                .registerShutdownHook(false)
                .run(arguments.toArray(String[]::new));
    }

    static RunningLedger on(String url, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--logging.level.root=error",
                "--spring.datasource.url=" + url,
                "--ledger.security.api-keys[0].name=benchmark",
                "--ledger.security.api-keys[0].key=" + KEY,
                "--ledger.security.api-keys[0].tenant=bench",
                "--ledger.security.api-keys[0].roles=WRITER,READER,OPERATOR"));
        if (url.startsWith("jdbc:postgresql:")) {
            arguments.add("--spring.datasource.username=postgres");
            arguments.add("--spring.datasource.password=");
        }
        Arrays.stream(properties).map(property -> "--" + property).forEach(arguments::add);
        return new RunningLedger(arguments);
    }

    /** Leaves the command side alone on the machine, to show what following the events costs. */
    void stopProjections() {
        bean(EventProcessingConfiguration.class).eventProcessors().values().forEach(EventProcessor::shutDown);
    }

    /** The next contender must not pay for this one's events. */
    void awaitProjections() throws InterruptedException {
        DataSource database = bean(DataSource.class);
        long events = stored();
        while (bean(EventProcessingConfiguration.class).eventProcessors().values().stream()
                        .anyMatch(EventProcessor::isRunning)
                && Counting.count(database, "select count(*) from account_operation") < events) {
            Thread.sleep(200);
        }
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    long stored() {
        return Counting.count(bean(DataSource.class), "select count(*) from domain_event");
    }

    @Override
    public void close() {
        context.close();
    }
}
