package dev.ledger.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * What the command line says.
 *
 * @param round how long each contender runs in its turn
 * @param rounds turns that count; one more before them warms up
 * @param inFlight operations on their way at once, for callers in process
 * @param history receipts of the account with a long history
 * @param output where the figures go as JSON
 */
record Options(Duration round, int rounds, int inFlight, int history, Path output) {

    /** Parses, or tells why there is nothing to run: on standard output for help, on standard error for a mistake. */
    static Parsed parse(String... arguments) {
        Arguments parsed = new Arguments();
        CommandLine command = new CommandLine(parsed);
        try {
            command.parseArgs(arguments);
            if (command.isUsageHelpRequested()) {
                command.usage(System.out);
                return new Exit(CommandLine.ExitCode.OK);
            }
            return parsed.parsed(command);
        } catch (ParameterException wrong) {
            System.err.println(wrong.getMessage());
            command.usage(System.err);
            return new Exit(CommandLine.ExitCode.USAGE);
        }
    }

    /** Either what to run, or the status to exit with. */
    sealed interface Parsed permits Run, Starts, Exit {}

    record Run(Options options) implements Parsed {}

    /**
     * How long a start takes, and nothing else.
     *
     * @param jar of the application
     * @param rounds starts of each kind that count
     */
    record Starts(Path jar, int rounds) implements Parsed {}

    record Exit(int status) implements Parsed {}

    @Command(
            name = "ledger-benchmarks",
            description =
                    "Measures the write path on a PostgreSQL of its own, side by side with what it is compared with.",
            sortOptions = false)
    private static final class Arguments {

        @Option(names = "--quick", description = "Shorter defaults: about three minutes instead of ten.")
        private boolean quick;

        @Option(
                names = "--seconds",
                paramLabel = "N",
                description = "How long each contender runs in its turn (5; quick: 2).")
        private @Nullable Integer seconds;

        @Option(names = "--rounds", paramLabel = "N", description = "Turns that count (3; quick: 1).")
        private @Nullable Integer rounds;

        @Option(
                names = "--in-flight",
                paramLabel = "N",
                defaultValue = "2000",
                description = "Operations on their way at once, in process (${DEFAULT-VALUE}).")
        private int inFlight;

        @Option(
                names = "--history",
                paramLabel = "N",
                description = "Receipts of the account with a long history (1000000; quick: 100000).")
        private @Nullable Integer history;

        @Option(
                names = "--output",
                paramLabel = "FILE",
                description = "Where the figures go as JSON (${DEFAULT-VALUE}).")
        private Path output = Path.of("target/benchmark.json");

        @Option(
                names = "--starts",
                paramLabel = "JAR",
                description = "Measures starts of the application's jar instead, --rounds of each kind (5).")
        private @Nullable Path starts;

        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "Shows this and ends.")
        private boolean help;

        Parsed parsed(CommandLine command) {
            if (starts != null) {
                return new Starts(starts, positive(command, "--rounds", orElse(rounds, 5)));
            }
            return new Run(new Options(
                    Duration.ofSeconds(positive(command, "--seconds", orElse(seconds, quick ? 2 : 5))),
                    positive(command, "--rounds", orElse(rounds, quick ? 1 : 3)),
                    positive(command, "--in-flight", inFlight),
                    positive(command, "--history", orElse(history, quick ? 100_000 : 1_000_000)),
                    output));
        }

        private static int orElse(@Nullable Integer value, int other) {
            return value == null ? other : value;
        }

        private static int positive(CommandLine command, String option, int value) {
            if (value < 1) {
                throw new ParameterException(command, "Invalid value for option '" + option + "': must be 1 or more");
            }
            return value;
        }
    }
}
