package dev.ledger.app.inbox;

import dev.ledger.app.commit.OperationInProgressException;
import dev.ledger.app.commit.OperationRejectedException;
import dev.ledger.app.commit.OutcomeUnknownException;
import dev.ledger.app.commit.TooBusyException;
import dev.ledger.domain.balance.InvalidOperationException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Records deliveries whose transaction rolled back, in one of their own (D3). A message that the ledger was too busy to
 * hand to its handler is no delivery.
 */
final class DeliveryRecorder {

    private static final Logger log = LoggerFactory.getLogger(DeliveryRecorder.class);

    private final DeliveryTable deliveries;
    private final TransactionOperations transaction;
    private final Clock clock;

    DeliveryRecorder(DeliveryTable deliveries, TransactionOperations transaction, Clock clock) {
        this.deliveries = deliveries;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** A record that cannot be written is told in the log, and is no reason to tell the sender anything else. */
    void failed(InboxHandler handler, InboxMessage message, @Nullable String replay, RuntimeException failure) {
        if (failure instanceof TooBusyException) {
            return;
        }
        Delivery delivery = new Delivery(
                message.tenant(),
                handler.name(),
                message.id(),
                handler.version(),
                outcome(failure),
                clock.instant().truncatedTo(ChronoUnit.MICROS),
                detail(failure),
                replay);
        try {
            transaction.executeWithoutResult(status -> deliveries.insert(List.of(delivery)));
        } catch (DataAccessException | TransactionException e) {
            log.error("{} could not be recorded", delivery, e);
        }
    }

    private static String outcome(RuntimeException failure) {
        if (failure instanceof OperationRejectedException) {
            return Delivery.REJECTED;
        }
        if (failure instanceof InvalidOperationException) {
            return Delivery.INVALID;
        }
        if (failure instanceof OperationInProgressException) {
            return Delivery.IN_PROGRESS;
        }
        return failure instanceof OutcomeUnknownException ? Delivery.UNKNOWN : Delivery.FAILED;
    }

    private static String detail(RuntimeException failure) {
        if (failure instanceof OperationRejectedException rejected) {
            return rejected.rejection().getClass().getSimpleName();
        }
        return failure instanceof InvalidOperationException invalid
                ? invalid.field()
                : failure.getClass().getSimpleName();
    }
}
