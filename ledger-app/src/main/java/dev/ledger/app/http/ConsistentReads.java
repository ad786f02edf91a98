package dev.ledger.app.http;

import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import dev.ledger.app.projection.TokenPositions;
import dev.ledger.app.projection.TokenPositions.Segment;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Reads a read model, or tells the reader to come back while it is rebuilt: never an absence, and never an older balance,
 * that is not true (K46).
 *
 * <p>The read and the tokens are of one snapshot. A reset clears the rows and moves the tokens back in one transaction, and
 * the batch that has filled the rows again moves them on in its own: so whatever the tokens say here is true of the rows.
 */
@Component
final class ConsistentReads {

    private final TokenPositions positions;
    private final TransactionTemplate snapshot;

    ConsistentReads(TokenPositions positions, PlatformTransactionManager transactions) {
        this.positions = positions;
        this.snapshot = new TransactionTemplate(transactions);
        snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        snapshot.setReadOnly(true);
    }

    /**
     * @param processor that writes what is read
     * @throws ProblemException projection-behind, if it has been reset and has not come as far again
     */
    <T> T of(String processor, Supplier<T> read) {
        return snapshot.execute(status -> {
            if (positions.of(processor).stream().anyMatch(Segment::isReplaying)) {
                throw new ProblemException(Problem.projectionBehind("the read model is being rebuilt"));
            }
            return read.get();
        });
    }
}
