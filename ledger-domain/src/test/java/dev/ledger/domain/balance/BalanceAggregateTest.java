package dev.ledger.domain.balance;

import static dev.ledger.domain.balance.Fixtures.ALICE;
import static dev.ledger.domain.balance.Fixtures.BOB;
import static dev.ledger.domain.balance.Fixtures.CLOCK;
import static dev.ledger.domain.balance.Fixtures.NOW;
import static dev.ledger.domain.balance.Fixtures.applied;
import static dev.ledger.domain.balance.Fixtures.apply;
import static dev.ledger.domain.balance.Fixtures.receipt;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BalanceAggregateTest {

    private final Fixtures.StoredOperations stored = new Fixtures.StoredOperations();
    private FixtureConfiguration<BalanceAggregate> fixture;

    @BeforeEach
    void anAccount() {
        fixture = new AggregateTestFixture<>(BalanceAggregate.class)
                .registerInjectableResource(stored)
                .registerInjectableResource(CLOCK);
    }

    @Test
    void theFirstOperationOpensTheAccount() {
        fixture.givenNoPriorActivity()
                .when(apply("op-1", 100))
                .expectEvents(event(apply("op-1", 100), 100, 1))
                .expectResultMessagePayload(new Outcome.Applied(event(apply("op-1", 100), 100, 1)));
    }

    @Test
    void anAccountMayStartWithAZero() {
        fixture.givenNoPriorActivity().when(apply("op-1", 0)).expectEvents(event(apply("op-1", 0), 0, 1));
    }

    @Test
    void equalContentUnderTwoIdsIsTwoOperations() { // A2, K04
        fixture.given(applied("op-1", 100, 100, 1))
                .when(apply("op-2", 100))
                .expectEvents(event(apply("op-2", 100), 200, 2));
    }

    @Test
    void aRetryAnswersTheFirstReceiptAlthoughTheBalanceHasMovedOn() { // B2
        DeltaApplied first = applied("op-1", 100, 100, 1);

        fixture.given(first, applied("op-2", -30, 70, 2))
                .when(apply("op-1", 100))
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Replayed(first.receipt()));
    }

    @Test
    void aRetryOfADebitThatTodaysBalanceWouldRefuseAnswersItsReceipt() { // B2
        DeltaApplied debit = applied("op-2", -80, 20, 2);

        fixture.given(applied("op-1", 100, 100, 1), debit)
                .when(apply("op-2", -80))
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Replayed(debit.receipt()));
    }

    @Test
    void theSameIdWithOtherContentIsAConflict() { // A4, K02
        DeltaApplied first = applied("op-1", 100, 100, 1);

        for (ApplyDelta other : new ApplyDelta[] {
            apply("op-1", 101),
            new ApplyDelta(operation("memo", null, null, Map.of())),
            new ApplyDelta(operation(null, NOW, null, Map.of())),
            new ApplyDelta(operation(null, null, "op-0", Map.of())),
            new ApplyDelta(operation(null, null, null, Map.of("a", "b")))
        }) {
            anAccount();
            fixture.given(first)
                    .when(other)
                    .expectNoEvents()
                    .expectResultMessagePayload(conflict(first.receipt(), other));
        }
    }

    @Test
    void theSameContentWrittenAgainIsNoConflict() { // A1
        ApplyDelta command = new ApplyDelta(operation("memo", NOW, "op-0", Map.of("a", "b", "c", "d")));
        DeltaApplied first = event(command, 100, 1);

        fixture.given(first)
                .when(new ApplyDelta(operation("memo", NOW, "op-0", Map.of("c", "d", "a", "b"))))
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Replayed(first.receipt()));
    }

    @Test
    void anOverdraftIsRefusedBeforeAnEventExists() { // B3, B4
        fixture.given(applied("op-1", 100, 100, 1))
                .when(apply("op-2", -101))
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Rejected(new Rejection.InsufficientBalance(100, -101)));
    }

    @Test
    void aRefusedIdIsFreeAndMaySucceedLater() { // B4, K03
        fixture.given(applied("op-1", 100, 100, 1))
                .andGivenCommands(apply("op-2", -101), apply("op-3", 1))
                .when(apply("op-2", -101))
                .expectEvents(event(apply("op-2", -101), 0, 3));
    }

    @Test
    void anOverflowIsRefusedBeforeAnEventExists() { // B3
        fixture.given(applied("op-1", Long.MAX_VALUE, Long.MAX_VALUE, 1))
                .when(apply("op-2", 1))
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Rejected(new Rejection.BalanceOverflow(Long.MAX_VALUE, 1)));
    }

    @Test
    void theSmallestDeltaIsRefusedLikeAnyOverdraft() { // B3
        fixture.given(applied("op-0", 0, 0, 1))
                .when(apply("op-1", Long.MIN_VALUE))
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Rejected(new Rejection.InsufficientBalance(0, Long.MIN_VALUE)));
    }

    @Test
    void aReceiptThatHasLeftTheMemoryIsAskedOfTheStore() { // B2, B7
        DeltaApplied debit = applied("old", -80, 20, 2);
        stored.with(debit);

        fixture.given(applied("op-1", 100, 100, 1), debit)
                .andGiven(manyEvents(3, BalanceAggregate.RETAINED_RECEIPTS))
                .when(apply("old", -80))
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Replayed(debit.receipt()));
    }

    @Test
    void theLatestReceiptsAreAnsweredFromMemory() { // B7
        stored.failing(new IllegalStateException("the store was asked"));
        DeltaApplied oldestKept = applied("op-2", 0, 100, 2);

        fixture.given(applied("op-1", 100, 100, 1), oldestKept)
                .andGiven(manyEvents(3, BalanceAggregate.RETAINED_RECEIPTS - 1))
                .when(apply("op-2", 0))
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Replayed(oldestKept.receipt()));
    }

    @Test
    void anIdWhoseReceiptHasLeftTheMemoryIsStillInConflictWithOtherContent() { // A4, B7
        DeltaApplied debit = applied("old", -80, 20, 2);
        stored.with(debit);

        fixture.given(applied("op-1", 100, 100, 1), debit)
                .andGiven(manyEvents(3, BalanceAggregate.RETAINED_RECEIPTS))
                .when(apply("old", -81))
                .expectNoEvents()
                .expectResultMessagePayload(conflict(debit.receipt(), apply("old", -81)));
    }

    @Test
    void aRefusedOperationWhoseIdIsUsedOnAnotherAccountIsAConflict() { // A4
        DeltaApplied elsewhere = applied(BOB, "op-1", 5, 5, 1);
        stored.with(elsewhere);

        fixture.given(applied("op-0", 0, 0, 1))
                .when(apply("op-1", -5))
                .expectNoEvents()
                .expectResultMessagePayload(conflict(elsewhere.receipt(), apply("op-1", -5)));
    }

    @Test
    void anOverflowWhoseIdIsUsedOnAnotherAccountIsAConflict() { // A4
        DeltaApplied elsewhere = applied(BOB, "op-1", 5, 5, 1);
        stored.with(elsewhere);

        fixture.given(applied("op-0", Long.MAX_VALUE, Long.MAX_VALUE, 1))
                .when(apply("op-1", 5))
                .expectNoEvents()
                .expectResultMessagePayload(conflict(elsewhere.receipt(), apply("op-1", 5)));
    }

    @Test
    void aRefusalIsComparedWithTheStoreAtTheSequenceThatItWasDecidedOn() { // B6
        stored.atSequence(3);

        fixture.given(applied("op-1", 100, 100, 1), applied("op-2", 0, 100, 2), applied("op-3", 0, 100, 3))
                .when(apply("op-4", -101))
                .expectResultMessagePayload(new Outcome.Rejected(new Rejection.InsufficientBalance(100, -101)));
    }

    @Test
    void aSequenceGoesOnFromWhatIsStoredThoughTheLastEventsAreNotTheAggregates() { // K17
        fixture.given(applied("op-1", 100, 100, 1), "a fact of another kind", "and one more")
                .when(apply("op-2", 1))
                .expectEvents(event(apply("op-2", 1), 101, 4));
    }

    @Test
    void aRefusalBehindEventsThatAreNotTheAggregatesIsNotStale() { // K17, B6
        stored.atSequence(2);

        fixture.given(applied("op-1", 100, 100, 1), "a fact of another kind")
                .when(apply("op-2", -101))
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Rejected(new Rejection.InsufficientBalance(100, -101)));
    }

    @Test
    void aRefusalOnAStaleBalanceIsNoAnswer() { // B6
        stored.atSequence(2);

        fixture.given(applied("op-1", 100, 100, 1))
                .when(apply("op-2", -101))
                .expectNoEvents()
                .expectException(StaleBalanceException.class);
    }

    private static DeltaApplied event(ApplyDelta command, long balance, long sequence) {
        return DeltaApplied.of(command, receipt(command, balance, sequence, NOW));
    }

    private static Outcome conflict(Receipt stored, ApplyDelta offered) {
        return new Outcome.Rejected(new Rejection.OperationConflict(stored.digest(), offered.digest()));
    }

    private static Operation operation(
            String memo, Instant occurredAt, String causedBy, Map<String, String> attributes) {
        return new Operation(
                ALICE,
                "op-1",
                100,
                memo,
                occurredAt,
                causedBy,
                attributes.isEmpty() ? Collections.emptySortedMap() : new TreeMap<>(attributes));
    }

    /** Operations of zero, which leave the balance of 100 or 20 alone; only their number matters. */
    private static List<DeltaApplied> manyEvents(long firstSequence, int count) {
        return LongStream.range(firstSequence, firstSequence + count)
                .mapToObj(sequence -> applied("many-" + sequence, 0, 20, sequence))
                .toList();
    }
}
