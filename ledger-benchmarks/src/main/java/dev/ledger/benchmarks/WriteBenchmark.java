package dev.ledger.benchmarks;

import dev.ledger.benchmarks.Contender.Round;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The write path, side by side: what is written by hand, plain Axon, and this ledger in process and over HTTP. Contenders
 * take turns, so that a machine whose speed drifts is fair to all; after each turn the rows in the database must be what was
 * acknowledged.
 */
public final class WriteBenchmark {

    private static final String BASELINE = "hand-written SQL";
    private static final String IN_PROCESS = "ledger, in process";
    private static final String WITHOUT_PROJECTIONS = "ledger, in process, projections off";

    private final Options options;
    private final Report report = new Report();

    private WriteBenchmark(Options options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws Exception {
        Options.Parsed parsed = Options.parse(arguments);
        if (parsed instanceof Options.Exit exit) {
            System.exit(exit.status());
        } else if (parsed instanceof Options.Starts starts) {
            new StartBenchmark(starts.jar(), starts.rounds()).run();
        } else if (parsed instanceof Options.Run run) {
            try (Postgres postgres = new Postgres()) {
                new WriteBenchmark(run.options()).run(postgres);
            }
        }
        System.exit(0);
    }

    private void run(Postgres postgres) throws Exception {
        report.fact("options", options.toString());
        report.fact("postgresql", postgres.settings().toString());
        report.fact("java", Runtime.version().toString());
        report.fact("processors", Runtime.getRuntime().availableProcessors());
        try (RunningLedger ledger = RunningLedger.on(postgres.newDatabase());
                RunningLedger writesOnly = RunningLedger.on(postgres.newDatabase());
                HandWrittenSql sql = new HandWrittenSql(postgres);
                PlainAxon axon = new PlainAxon(postgres)) {
            writesOnly.stopProjections();
            InProcess inProcess = new InProcess(IN_PROCESS, ledger, options.inFlight());
            sideBySide(
                    ledger,
                    List.of(
                            sql,
                            axon,
                            inProcess,
                            new InProcess(WITHOUT_PROJECTIONS, writesOnly, options.inFlight()),
                            new HttpBatches(ledger),
                            new HttpPuts(ledger)));
            latencies(ledger, inProcess);
            new LongHistory(writesOnly, options.history(), options.round(), options.inFlight()).run(report);
        }
        onH2();
        report.print(BASELINE);
        report.write(options.output());
    }

    private void sideBySide(RunningLedger ledger, List<Contender> contenders) throws Exception {
        for (Scenario scenario : Scenario.values()) {
            for (int round = 0; round <= options.rounds(); round++) {
                for (Contender contender : contenders) {
                    double perSecond = measure(contender, scenario);
                    if (round > 0) {
                        report.add(scenario, contender.name(), perSecond);
                    }
                    ledger.awaitProjections();
                }
            }
        }
    }

    private double measure(Contender contender, Scenario scenario) throws Exception {
        long before = contender.stored();
        Round round = contender.run(scenario, options.round());
        long stored = contender.stored() - before;
        if (stored != round.operations()) {
            throw new IllegalStateException("%s acknowledged %d operations and holds %d"
                    .formatted(contender.name(), round.operations(), stored));
        }
        System.out.printf(Locale.ROOT, "%s, %s: %,.0f/s%n", scenario.title(), contender.name(), round.perSecond());
        return round.perSecond();
    }

    /** At half of the highest throughput, as the requirement has it. */
    private void latencies(RunningLedger ledger, InProcess inProcess) throws Exception {
        for (Scenario scenario : List.of(Scenario.THOUSAND_ACCOUNTS, Scenario.ONE_HOT_ACCOUNT)) {
            double half = report.median(scenario, IN_PROCESS) / 2;
            Histogram micros =
                    inProcess.latencies(scenario, half, options.round().multipliedBy(2));
            report.fact(
                    "latency in process, " + scenario.title(),
                    String.format(
                            Locale.ROOT,
                            "at %,.0f/s: p50 %.1f ms, p99 %.1f ms, p99.9 %.1f ms",
                            half,
                            micros.getValueAtPercentile(50) / 1e3,
                            micros.getValueAtPercentile(99) / 1e3,
                            micros.getValueAtPercentile(99.9) / 1e3));
            ledger.awaitProjections();
        }
    }

    private void onH2() throws Exception {
        Path folder = Files.createTempDirectory("ledger-benchmark");
        String url = "jdbc:h2:file:" + folder.resolve("ledger") + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
        try (RunningLedger ledger = RunningLedger.on(url)) {
            InProcess contender = new InProcess("ledger on H2, in process", ledger, options.inFlight());
            for (Scenario scenario : List.of(Scenario.THOUSAND_ACCOUNTS, Scenario.ONE_HOT_ACCOUNT)) {
                for (int round = 0; round <= options.rounds(); round++) {
                    double perSecond = measure(contender, scenario);
                    if (round > 0) {
                        report.add(scenario, contender.name(), perSecond);
                    }
                    ledger.awaitProjections();
                }
            }
        }
    }
}
