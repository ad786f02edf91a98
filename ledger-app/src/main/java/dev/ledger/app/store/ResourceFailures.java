package dev.ledger.app.store;

import java.sql.SQLException;
import java.util.Set;
import java.util.function.Predicate;

/** The databases' own words for having no disk, no memory or no connection left. */
public final class ResourceFailures {

    /** Class 53 of PostgreSQL's states; its answer says that whatever was under way is rolled back, a commit too. */
    private static final String INSUFFICIENT_RESOURCES = "53";

    /** H2: IO_EXCEPTION_1 and _2, which a full disk is too, and OUT_OF_MEMORY. */
    private static final Set<String> H2 = Set.of("90028", "90031", "90108");

    private ResourceFailures() {}

    /** Whether the database ran out of something, however it is wrapped. */
    public static boolean isOne(Throwable failure) {
        return hasState(failure, state -> state.startsWith(INSUFFICIENT_RESOURCES) || H2.contains(state));
    }

    /** Whether it was H2, which does not say what became of a commit. */
    static boolean isOfH2(Throwable failure) {
        return hasState(failure, H2::contains);
    }

    private static boolean hasState(Throwable failure, Predicate<String> states) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null && states.test(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }
}
