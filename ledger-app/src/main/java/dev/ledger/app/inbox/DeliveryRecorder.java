package dev.ledger.app.inbox;

import dev.ledger.app.commit.OperationInProgressException;
import dev.ledger.app.commit.OperationRejectedException;
import dev.ledger.app.commit.OutcomeUnknownException;
import dev.ledger.app.commit.TooBusyException;
import dev.ledger.domain.balance.InvalidOperationException;
import io.micrometer.core.instrument.MeterRegistry;
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
    private final MeterRegistry meters;
    private final Clock clock;

    DeliveryRecorder(DeliveryTable deliveries, TransactionOperations transaction, MeterRegistry meters, Clock clock) {
        this.deliveries = deliveries;
        this.transaction = transaction;
        this.meters = meters;
        this.clock = clock;
    }

    /** Counts a delivery whose records have committed with it. */
    void ended(InboxHandler handler, InboxOutcome outcome) {
        count(
                handler,
                outcome instanceof InboxOutcome.Applied
                        ? Delivery.APPLIED
                        : outcome instanceof InboxOutcome.Duplicate ? Delivery.DUPLICATE : Delivery.CONFLICT);
    }

    private void count(InboxHandler handler, String outcome) {
        meters.counter("ledger.handler.deliveries", "handler", handler.name(), "outcome", outcome)
                .increment();
    }

    /** A record that cannot be written is told in the log, and is no reason to tell the sender anything else. */
    void failed(InboxHandler handler, InboxMessage message, @Nullable String replay, RuntimeException failure) {
        if (failure instanceof TooBusyException) {
            count(handler, "too-busy");
            return;
        }
        count(handler, outcome(failure));
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
