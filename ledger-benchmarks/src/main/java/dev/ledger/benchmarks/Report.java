package dev.ledger.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The figures of a run: medians, ratios and whatever else was measured, as a table and as JSON. */
final class Report {

    private final Map<String, Map<String, List<Double>>> rounds = new LinkedHashMap<>();
    private final Map<String, Object> facts = new LinkedHashMap<>();

    void add(Scenario scenario, String contender, double perSecond) {
        rounds.computeIfAbsent(scenario.title(), title -> new LinkedHashMap<>())
                .computeIfAbsent(contender, name -> new ArrayList<>())
                .add(perSecond);
    }

    void fact(String name, Object value) {
        facts.put(name, value);
        System.out.printf(Locale.ROOT, "%s: %s%n", name, value);
    }

    double median(Scenario scenario, String contender) {
        return median(rounds.getOrDefault(scenario.title(), Map.of()).getOrDefault(contender, List.of()));
    }

    private static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length == 0
                ? 0
                : sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    void print(String baseline) {
        rounds.forEach((scenario, contenders) -> {
            double base = median(contenders.getOrDefault(baseline, List.of()));
            System.out.printf(
                    "%n| %s | operations/s, median | min to max | × %s |%n|---|---:|---:|---:|%n", scenario, baseline);
            contenders.forEach((contender, values) -> System.out.printf(
                    Locale.ROOT,
                    "| %s | %,.0f | %,.0f to %,.0f | %.1f |%n",
                    contender,
                    median(values),
                    values.stream().mapToDouble(value -> value).min().orElse(0),
                    values.stream().mapToDouble(value -> value).max().orElse(0),
                    base == 0 ? 0 : median(values) / base));
        });
    }

    void write(Path path) throws IOException {
        if (path.getParent() != null) {
            Files.createDirectories(path.getParent());
        }
        Files.write(
                path,
                new JsonMapper()
                        .writerWithDefaultPrettyPrinter()
                        .writeValueAsBytes(Map.of("rounds", rounds, "facts", facts)));
    }
}
