package dev.ledger.app.start;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** A failure at start in a few lines, as one log record; the stack trace is there at level debug. */
final class FewLinesReporter implements FailureAnalysisReporter {

    private static final Logger log = LoggerFactory.getLogger(FewLinesReporter.class);

    private static final Pattern SECRET = Pattern.compile("(?i)\\s*Property: .*(key|password|secret)");

    @Override
    public void report(FailureAnalysis analysis) {
        log.error("{}", text(analysis));
        log.debug("the cause", analysis.getCause());
    }

    static String text(FailureAnalysis analysis) {
        List<String> lines = new ArrayList<>(List.of("The ledger did not start."));
        addLines(lines, analysis.getDescription());
        if (analysis.getAction() != null) {
            addLines(lines, "What to do: " + analysis.getAction());
        }
        return String.join("\n  ", lines);
    }

    /** Spring shows the value of a property that is not valid, even if it is a key that is one character too short. */
    private static void addLines(List<String> lines, @Nullable String text) {
        boolean secret = false;
        for (String line : text == null ? List.<String>of() : text.lines().toList()) {
            if (line.contains("Property: ")) {
                secret = SECRET.matcher(line).matches();
            }
            if (!line.isBlank() && !(secret && line.contains("Value: "))) {
                lines.add(line.stripTrailing());
            }
        }
    }
}
