package dev.ledger.app.http;

import dev.ledger.app.commit.OperationInProgressException;
import dev.ledger.app.commit.OutcomeUnknownException;
import dev.ledger.app.commit.TooBusyException;
import dev.ledger.domain.balance.InvalidOperationException;
import dev.ledger.domain.balance.Rejection;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** The one place where a rejection or a failure of a command becomes a problem document. */
final class Problems {

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
        return Problem.of("operation-conflict", 409, "the operation id belongs to other content")
                .with("storedDigest", conflict.stored().text())
                .with("offeredDigest", conflict.offered().text());
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
        return Problem.internalError();
    }
}
