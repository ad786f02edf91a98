package dev.ledger.app.http;

import dev.ledger.app.commit.OperationInProgressException;
import dev.ledger.app.commit.OperationRejectedException;
import dev.ledger.app.commit.OutcomeUnknownException;
import dev.ledger.app.commit.StorageUnavailableException;
import dev.ledger.app.commit.TooBusyException;
import dev.ledger.app.inbox.UnsupportedDataException;
import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import dev.ledger.app.replay.ReplayNotFoundException;
import dev.ledger.app.replay.ReplayRefusedException;
import dev.ledger.app.store.ResourceFailures;
import dev.ledger.app.store.UnreadableHistoryException;
import dev.ledger.domain.balance.InvalidOperationException;
import dev.ledger.domain.balance.Rejection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** The one place where a rejection or a failure of a command becomes a problem document. */
final class Problems {

    /** The classes of SQL states of ISO 9075 that both databases use: a constraint, or a value that does not fit. */
    private static final Set<String> VIOLATIONS = Set.of("22", "23");

    private Problems() {}

    static Problem of(Rejection rejection) {
        if (rejection instanceof Rejection.InsufficientBalance insufficient) {
            return Problem.of("insufficient-balance", 422, "the balance would become negative")
                    .with("balance", insufficient.balance())
                    .with("delta", insufficient.delta());
        }
        if (rejection instanceof Rejection.BalanceOverflow overflow) {
            return Problem.of("balance-overflow", 422, "the balance would leave the range of 64 bits")
                    .with("balance", overflow.balance())
                    .with("delta", overflow.delta());
        }
        Rejection.OperationConflict conflict = (Rejection.OperationConflict) rejection;
        return conflict(
                "operation", conflict.stored().text(), conflict.offered().text());
    }

    /**
     * The same id with other content (A4).
     *
     * @param what the id is of
     */
    static Problem conflict(String what, String storedDigest, String offeredDigest) {
        return Problem.of("operation-conflict", 409, "the " + what + " id belongs to other content")
                .with("storedDigest", storedDigest)
                .with("offeredDigest", offeredDigest);
    }

    static Problem of(Throwable failure) {
        if ((failure instanceof CompletionException || failure instanceof ExecutionException)
                && failure.getCause() != null) {
            return of(failure.getCause());
        }
        if (failure instanceof ProblemException problem) {
            return problem.problem();
        }
        if (failure instanceof InvalidOperationException invalid) {
            return Problem.invalidRequest(invalid.field(), String.valueOf(invalid.getMessage()));
        }
        if (failure instanceof OperationRejectedException rejected) {
            return of(rejected.rejection());
        }
        if (failure instanceof UnsupportedDataException) {
            return Problem.of("unsupported-media-type", 415, String.valueOf(failure.getMessage()));
        }
        if (violatesConstraint(failure)) {
            return Problem.of(
                    "integrity-violation",
                    500,
                    "a constraint of the database was violated; the ledger's log says which");
        }
        if (failure instanceof ReplayNotFoundException) {
            return Problem.notFound();
        }
        if (failure instanceof ReplayRefusedException refused) {
            return Problem.of(refused.code(), 409, String.valueOf(refused.getMessage()));
        }
        if (failure instanceof UnreadableHistoryException) {
            return Problem.of(
                    "history-unreadable", 500, "the stored events of this account cannot be read; nothing was applied");
        }
        if (failure instanceof TooBusyException) {
            return Problem.of("too-busy", 503, "nothing was applied; come back").retryAfter(1);
        }
        if (failure instanceof OperationInProgressException) {
            return Problem.of("operation-in-progress", 409, "another delivery of this operation has not ended")
                    .retryAfter(1);
        }
        if (failure instanceof OutcomeUnknownException) {
            return Problem.of("outcome-unknown", 503, "the operation took effect once or not at all; retry with its id")
                    .retryAfter(2);
        }
        // A command's, or that of a read which met the same database.
        if (failure instanceof StorageUnavailableException || ResourceFailures.isOne(failure)) {
            return Problem.of("storage-unavailable", 503, "the database has run out of a resource; nothing was applied")
                    .retryAfter(5);
        }
        return Problem.internalError();
    }

    /** Axon, Spring and Hibernate each wrap it in their own way, and at the commit in yet another (K05). */
    private static boolean violatesConstraint(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql
                    && sql.getSQLState() != null
                    && VIOLATIONS.contains(sql.getSQLState().substring(0, 2))) {
                return true;
            }
        }
        return false;
    }
}
