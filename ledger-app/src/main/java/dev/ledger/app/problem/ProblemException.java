package dev.ledger.app.problem;

/** Ends a request with a problem document. */
public final class ProblemException extends RuntimeException {

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        // No stack trace: this is an answer, not a fault.
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
