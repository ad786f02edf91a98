package dev.ledger.benchmarks;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What the command line says, as {@code --name=value}.
 *
 * @param round how long each contender runs in its turn
 * @param rounds turns that count; one more before them warms up
 * @param inFlight operations on their way at once, for callers in process
 * @param history receipts of the account with a long history
 * @param output where the figures go as JSON
 */
record Options(Duration round, int rounds, int inFlight, int history, String output) {

    static Options parse(String[] arguments) {
        Map<String, String> options = new HashMap<>();
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            options.put(parts[0], parts.length == 2 ? parts[1] : "true");
        }
        boolean quick = options.containsKey("--quick");
        return new Options(
                Duration.ofSeconds(Long.parseLong(options.getOrDefault("--seconds", quick ? "2" : "5"))),
                Integer.parseInt(options.getOrDefault("--rounds", quick ? "1" : "3")),
                Integer.parseInt(options.getOrDefault("--in-flight", "2000")),
                Integer.parseInt(options.getOrDefault("--history", quick ? "100000" : "1000000")),
                options.getOrDefault("--output", "target/benchmark.json"));
    }
}
