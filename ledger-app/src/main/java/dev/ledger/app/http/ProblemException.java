package dev.ledger.app.http;

/** Ends a request with a problem document. */
final class ProblemException extends RuntimeException {

    private final transient Problem problem;

    ProblemException(Problem problem) {
        // No stack trace: this is an answer, not a fault.
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
