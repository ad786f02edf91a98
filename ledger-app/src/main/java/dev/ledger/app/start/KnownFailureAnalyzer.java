package dev.ledger.app.start;

import java.nio.file.FileSystemException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.hibernate.tool.schema.spi.SchemaManagementException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says of each failure at start that is no fault of the program: what, where, and what to do. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class KnownFailureAnalyzer implements FailureAnalyzer {

    private static final Pattern NEWER = Pattern.compile("applied migration not resolved locally: (\\S+?)\\.?\\s");

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            FailureAnalysis analysis = known(cause);
            if (analysis != null) {
                return analysis;
            }
        }
        return null;
    }

    private static @Nullable FailureAnalysis known(Throwable cause) {
        if (cause instanceof DatabaseNotUsableException unusable) {
            DatabaseFailure kind = DatabaseFailure.of(unusable.place(), unusable.failure());
            return analysis(
                    kind.what(),
                    unusable.place() + " (" + firstLine(unusable.failure().getMessage()) + ")",
                    kind.remedy(),
                    cause);
        }
        if (cause instanceof FileSystemException file) {
            return analysis(
                    "A folder or file cannot be written.",
                    file.getMessage() + " (" + file.getClass().getSimpleName() + ")",
                    "let it belong to the user that the ledger runs as, or configure another place"
                            + " (spring.datasource.url, ledger.security.initial-key-file).",
                    cause);
        }
        if (cause instanceof FlywayValidateException invalid) {
            return schema(invalid);
        }
        if (cause instanceof SchemaManagementException) {
            return analysis(
                    "The database's schema is not the ledger's: somebody has changed it.",
                    firstLine(cause.getMessage()),
                    "undo the change, or restore the database; this program would not write what it means.",
                    cause);
        }
        return null;
    }

    private static FailureAnalysis schema(FlywayValidateException invalid) {
        String message = String.valueOf(invalid.getMessage());
        Matcher newer = NEWER.matcher(message + "\n");
        if (newer.find()) {
            return analysis(
                    "The database's schema is newer than this program.",
                    "migration " + newer.group(1) + " in flyway_schema_history",
                    "start the program that made it, or a later one; there is no way back but a backup.",
                    invalid);
        }
        return analysis(
                "The database's schema was not made by this program.",
                message.lines().skip(1).findFirst().orElse("flyway_schema_history"),
                "start the program that made it, or restore the database.",
                invalid);
    }

    private static FailureAnalysis analysis(String what, String where, String remedy, Throwable cause) {
        return new FailureAnalysis(what + "\nWhere: " + where, remedy, cause);
    }

    private static String firstLine(@Nullable String message) {
        return message == null ? "no message" : message.lines().findFirst().orElse("no message");
    }
}
