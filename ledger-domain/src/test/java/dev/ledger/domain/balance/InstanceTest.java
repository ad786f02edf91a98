package dev.ledger.domain.balance;

import static dev.ledger.domain.balance.Fixtures.ALICE;
import static dev.ledger.domain.balance.Fixtures.BOB;
import static dev.ledger.domain.balance.Fixtures.CLOCK;
import static dev.ledger.domain.balance.Fixtures.apply;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What Axon's fixtures cannot set up: caches, other instances, events that are stored but not read, and a new account
 * whose first operation is refused.
 */
class InstanceTest {

    private final MemoryStore store = new MemoryStore();
    private final MemoryCache cache = new MemoryCache();
    private final Instance ledger = Instance.on(store, CLOCK, cache);
    private final Instance other = Instance.on(store, CLOCK, new MemoryCache());

    @AfterEach
    void stop() {
        ledger.close();
        other.close();
    }

    @Test
    void aSequenceGoesOnFromWhatIsStoredAlthoughTheLastEventIsNotRead() { // K17
        ledger.send(apply("op-1", 100));
        ledger.send(apply("op-2", 0));
        store.hide(apply("op-2", 0).eventId());
        cache.remove(ALICE.aggregateIdentifier());

        assertThat(applied(ledger.send(apply("op-3", 5))).sequence()).isEqualTo(3);
        assertThat(store.events(ALICE.aggregateIdentifier())).hasSize(3);
    }

    @Test
    void aRetryOfAnOperationWhoseEventIsNotReadAnswersItsReceipt() { // K17, B2
        ledger.send(apply("op-1", 100));
        Receipt first = applied(ledger.send(apply("op-2", -80)));
        store.hide(apply("op-2", -80).eventId());
        cache.remove(ALICE.aggregateIdentifier());

        assertThat(ledger.send(apply("op-2", -80))).isEqualTo(new Outcome.Replayed(first));
        assertThat(store.events(ALICE.aggregateIdentifier())).hasSize(2);
    }

    @Test
    void aRefusalOnAnAccountThatDoesNotExistYetLeavesNothingBehind() { // B4, K03
        assertThat(ledger.send(apply("op-1", -5)))
                .isEqualTo(new Outcome.Rejected(new Rejection.InsufficientBalance(0, -5)));
        assertThat(store.events(ALICE.aggregateIdentifier())).isEmpty();

        assertThat(applied(ledger.send(apply("op-2", 5))).sequence()).isEqualTo(1);
        assertThat(applied(ledger.send(apply("op-1", -5))).balance()).isZero();
    }

    @Test
    void anIdThatIsUsedOnAnotherAccountOfTheTenantIsAConflict() { // A4, A5
        ApplyDelta stolen = new ApplyDelta(Operation.of(BOB, "op-1", 5));
        Receipt first = applied(ledger.send(apply("op-1", 5)));

        assertThat(ledger.send(stolen))
                .isEqualTo(new Outcome.Rejected(new Rejection.OperationConflict(first.digest(), stolen.digest())));
        assertThat(store.events(BOB.aggregateIdentifier())).isEmpty();
    }

    @Test
    void anotherTenantsEqualIdIsAnotherOperation() { // A5, K28
        ApplyDelta theirs = new ApplyDelta(Operation.of(new AccountKey("bank", "alice"), "op-1", 7));
        ledger.send(apply("op-1", 5));

        assertThat(applied(ledger.send(theirs)).balance()).isEqualTo(7);
    }

    @Test
    void whatAnotherInstanceDidIsSeenBeforeAnythingIsRefused() { // B6
        ledger.send(apply("op-1", 100));
        other.send(apply("op-2", 50));

        assertThat(applied(ledger.send(apply("op-3", -150))).balance()).isZero();
    }

    @Test
    void whatAnotherInstanceDidIsSeenBeforeAnythingIsApplied() { // B6, K07
        ledger.send(apply("op-1", 100));
        other.send(apply("op-2", -80));

        assertThat(ledger.send(apply("op-3", -80)))
                .isEqualTo(new Outcome.Rejected(new Rejection.InsufficientBalance(20, -80)));
    }

    @Test
    void aRetryAtAnotherInstanceAnswersTheReceiptOfTheFirst() { // B2, B6
        ledger.send(apply("op-1", 100));
        other.send(apply("op-0", 0));
        Receipt first = applied(ledger.send(apply("op-2", -80)));

        assertThat(other.send(apply("op-2", -80))).isEqualTo(new Outcome.Replayed(first));
        assertThat(store.events(ALICE.aggregateIdentifier())).hasSize(3);
    }

    private static Receipt applied(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        return ((Outcome.Applied) outcome).receipt();
    }
}
