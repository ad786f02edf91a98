package dev.ledger.app.commit;

import dev.ledger.app.store.EventTable;
import dev.ledger.app.store.MissingPredecessorException;
import dev.ledger.app.store.ResourceFailures;
import dev.ledger.app.store.UnforcedCommitException;
import dev.ledger.app.store.UnreadableHistoryException;
import dev.ledger.domain.balance.InvalidOperationException;
import dev.ledger.domain.balance.StaleBalanceException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Locale;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Why a group did not commit, from the database's own words (C3). A unique violation alone says nothing: which
 * constraint it was decides, and what is stored is looked up before anyone is answered.
 */
enum FailureKind {

    /**
     * Another delivery or another instance was first, or a commit that was decided on is no longer stored: drop what is
     * cached, look up what is stored, decide again.
     */
    OVERTAKEN,

    /** Somebody else holds a lock on the same operation and has not ended in time. */
    IN_PROGRESS,

    /** No transaction could be begun: nothing can have been applied. */
    NOT_BEGUN,

    /** The database could not be reached, or went away: what was being committed may or may not be there. */
    UNREACHABLE,

    /**
     * Another unique constraint was violated, such as one of a message handler's own table. The delivery that was first
     * may be one of the same message: look once more, and if nothing is stored, it is a fault.
     */
    NOT_UNIQUE,

    /**
     * The database has no disk, memory or connection left, and says that it has rolled back. Neither a second try nor a
     * smaller group would help.
     */
    EXHAUSTED,

    /** A handler refused what it was given: an answer for its caller, and nothing of it may stay. */
    REFUSED,

    /** The account's stored events cannot be read: its command fails at once, and alone. */
    UNREADABLE,

    /** Anything else: a fault of its own, never taken for a duplicate. */
    OTHER;

    /** The constraints that decide between two deliveries; the last two are those of {@code V4__inbox.sql}. */
    private static final List<String> ARBITERS =
            List.of(EventTable.EVENT_ID_CONSTRAINT, EventTable.SEQUENCE_CONSTRAINT, "inbox_key", "inbox_conflict_key");

    static FailureKind of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CannotCreateTransactionException) {
                return NOT_BEGUN;
            }
            if (cause instanceof OperationRejectedException || cause instanceof InvalidOperationException) {
                return REFUSED;
            }
            if (cause instanceof StaleBalanceException || cause instanceof MissingPredecessorException) {
                return OVERTAKEN;
            }
            if (cause instanceof UnforcedCommitException) {
                return UNREACHABLE;
            }
            if (cause instanceof UnreadableHistoryException) {
                return UNREADABLE;
            }
            if (cause instanceof SQLException sql) {
                return of(sql);
            }
        }
        return OTHER;
    }

    private static FailureKind of(SQLException failure) {
        if (failure instanceof SQLTransientConnectionException || failure instanceof SQLRecoverableException) {
            return UNREACHABLE;
        }
        if (ResourceFailures.isOne(failure)) {
            return EXHAUSTED;
        }
        String state = failure.getSQLState() == null ? "" : failure.getSQLState();
        return switch (state) {
            case "23505" -> isArbiter(failure) ? OVERTAKEN : NOT_UNIQUE;
            // PostgreSQL: serialization failure, deadlock. H2: deadlock, row changed meanwhile.
            case "40001", "40P01", "90131" -> OVERTAKEN;
            // PostgreSQL: lock_timeout. H2: LOCK_TIMEOUT.
            case "55P03", "HYT00" -> IN_PROGRESS;
            // PostgreSQL: shutting down, crashed, starting. H2: database closed, connection broken.
            case "57P01", "57P02", "57P03", "90098", "90067", "90121" -> UNREACHABLE;
            default -> state.startsWith("08") ? UNREACHABLE : OTHER;
        };
    }

    /** Both databases name the violated constraint or its index in the message; H2 in capitals. */
    private static boolean isArbiter(SQLException failure) {
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return ARBITERS.stream().anyMatch(message::contains);
    }
}
