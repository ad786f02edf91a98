package dev.ledger.domain.balance;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The words that the tests of the balance speak. */
final class Fixtures {

    static final AccountKey ALICE = new AccountKey("shop", "alice");
    static final AccountKey BOB = new AccountKey("shop", "bob");
    static final Instant NOW = Instant.parse("2026-01-31T09:30:00.123456Z");
    static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

    private Fixtures() {}

    static ApplyDelta apply(String operationId, long delta) {
        return new ApplyDelta(Operation.of(ALICE, operationId, delta));
    }

    /** The event of an operation that took effect a second ago. */
    static DeltaApplied applied(String operationId, long delta, long balance, long sequence) {
        return applied(ALICE, operationId, delta, balance, sequence);
    }

    static DeltaApplied applied(AccountKey key, String operationId, long delta, long balance, long sequence) {
        ApplyDelta command = new ApplyDelta(Operation.of(key, operationId, delta));
        return DeltaApplied.of(command, receipt(command, balance, sequence, NOW.minusSeconds(1)));
    }

    static Receipt receipt(ApplyDelta command, long balance, long sequence, Instant recordedAt) {
        return new Receipt(
                command.operation().operationId(),
                command.operation().delta(),
                balance,
                command.digest(),
                ApplyDelta.HANDLER_VERSION,
                recordedAt,
                sequence);
    }

    /** An event store's memory: what is put in here is found by its identity, whichever account it is on. */
    static final class StoredOperations implements RecordedOperations {

        private final Map<String, Receipt> receipts = new HashMap<>();
        private @Nullable RuntimeException failure;
        private long sequence;

        StoredOperations with(DeltaApplied event) {
            receipts.put(event.eventId(), event.receipt());
            return this;
        }

        /** How far the account is, whatever the aggregate knows. */
        StoredOperations atSequence(long stored) {
            sequence = stored;
            return this;
        }

        StoredOperations failing(RuntimeException with) {
            failure = with;
            return this;
        }

        @Override
        public Optional<Receipt> find(ApplyDelta command, long lastSequence) {
            if (failure != null) {
                throw failure;
            }
            Receipt receipt = receipts.get(command.eventId());
            if (receipt == null && sequence > lastSequence) {
                throw new StaleBalanceException(command.aggregateIdentifier(), lastSequence, sequence);
            }
            return Optional.ofNullable(receipt);
        }
    }
}
