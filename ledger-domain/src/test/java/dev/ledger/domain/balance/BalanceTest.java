package dev.ledger.domain.balance;

import static dev.ledger.domain.balance.Fixtures.NOW;
import static dev.ledger.domain.balance.Fixtures.applied;
import static dev.ledger.domain.balance.Fixtures.apply;
import static dev.ledger.domain.balance.Fixtures.receipt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BalanceTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "0, 9223372036854775807, 9223372036854775807",
        "9223372036854775806, 1, 9223372036854775807",
        "9223372036854775807, 0, 9223372036854775807",
        "9223372036854775807, -9223372036854775807, 0",
        "100, -100, 0",
        "100, -99, 1"
    })
    void aDeltaThatLeavesTheBalanceInItsRangeIsApplied(long amount, long delta, long next) {
        Outcome outcome = at(amount).decide(apply("op", delta), null, NOW);

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Applied.class, applied -> {
            assertThat(applied.receipt().balance()).isEqualTo(next);
            assertThat(applied.receipt().delta()).isEqualTo(delta);
            assertThat(applied.receipt().sequence()).isEqualTo(8);
            assertThat(applied.receipt().digest()).isEqualTo(apply("op", delta).digest());
            assertThat(applied.receipt().handlerVersion()).isEqualTo(ApplyDelta.HANDLER_VERSION);
        });
    }

    @ParameterizedTest
    @CsvSource({"0, -1", "100, -101", "0, -9223372036854775808", "9223372036854775807, -9223372036854775808"})
    void aDeltaThatWouldMakeTheBalanceNegativeIsRefused(long amount, long delta) {
        assertThat(at(amount).decide(apply("op", delta), null, NOW))
                .isEqualTo(new Outcome.Rejected(new Rejection.InsufficientBalance(amount, delta)));
    }

    @ParameterizedTest
    @CsvSource({"1, 9223372036854775807", "9223372036854775807, 1", "9223372036854775807, 9223372036854775807"})
    void aDeltaThatWouldOverflowIsRefused(long amount, long delta) {
        assertThat(at(amount).decide(apply("op", delta), null, NOW))
                .isEqualTo(new Outcome.Rejected(new Rejection.BalanceOverflow(amount, delta)));
    }

    @Test
    void theReceiptComesBeforeTheArithmetic() {
        ApplyDelta overflowing = apply("op", Long.MAX_VALUE);
        Receipt first = receipt(overflowing, Long.MAX_VALUE, 1, NOW);

        assertThat(at(Long.MAX_VALUE).decide(overflowing, first, NOW)).isEqualTo(new Outcome.Replayed(first));
    }

    @Test
    void theReceiptComesBeforeTheBalance() {
        ApplyDelta debit = apply("op", -80);
        Receipt first = receipt(debit, 20, 2, NOW);

        assertThat(at(20).decide(debit, first, NOW)).isEqualTo(new Outcome.Replayed(first));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -21, 11, Long.MAX_VALUE})
    void aConflictIsAConflictWhateverTheArithmeticWouldSay(long other) { // A4: the id is judged before the change
        Receipt first = receipt(apply("op", 10), 20, 1, NOW);

        assertThat(at(20).decide(apply("op", other), first, NOW))
                .isEqualTo(new Outcome.Rejected(new Rejection.OperationConflict(
                        first.digest(), apply("op", other).digest())));
    }

    @Test
    void theSameIdWithOtherContentIsAConflict() {
        Receipt first = receipt(apply("op", 10), 10, 1, NOW);

        assertThat(at(10).decide(apply("op", 11), first, NOW))
                .isEqualTo(new Outcome.Rejected(new Rejection.OperationConflict(
                        first.digest(), apply("op", 11).digest())));
    }

    @Test
    void timeIsRecordedInMicroseconds() {
        Instant nanos = Instant.parse("2026-01-31T09:30:00.123456789Z");

        assertThat(recordedAt(at(0), nanos)).isEqualTo(Instant.parse("2026-01-31T09:30:00.123456Z"));
    }

    @Test
    void anOperationIsNeverRecordedBeforeTheOneBeforeIt() {
        Balance last = new Balance(1, 1, NOW);

        assertThat(recordedAt(last, NOW.minusSeconds(60))).isEqualTo(NOW);
        assertThat(recordedAt(last, NOW.plusSeconds(60))).isEqualTo(NOW.plusSeconds(60));
    }

    @Test
    void timeIsTruncatedBeforeItIsComparedSoThatItNeverGoesBack() {
        Balance last = new Balance(1, 1, NOW);

        assertThat(recordedAt(last, NOW.plusNanos(999))).isEqualTo(NOW);
        assertThat(recordedAt(last, NOW.plusNanos(1000))).isEqualTo(NOW.plusNanos(1000));
    }

    @Test
    void theFirstOperationHasSequence1AndMayBeZero() {
        assertThat(Balance.ZERO.decide(apply("op", 0), null, NOW))
                .isEqualTo(new Outcome.Applied(DeltaApplied.of(apply("op", 0), receipt(apply("op", 0), 0, 1, NOW))));
    }

    @Test
    void anEventIsAsGoodAsTheHistoryBeforeIt() { // it carries the balance, and nothing is added up again
        assertThat(Balance.ZERO.after(applied("op", -30, 70, 9)))
                .isEqualTo(new Balance(70, 9, NOW.minusSeconds(1)))
                .isEqualTo(at(100).after(applied("op", -30, 70, 9)));
    }

    @Test
    void eventsThatAreNotReadCountInTheSequenceOnly() { // K17
        assertThat(at(5).atSequence(9)).isEqualTo(new Balance(5, 9, Instant.EPOCH));
        assertThat(at(5).atSequence(7)).isEqualTo(at(5));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void aStoredBalanceThatIsNegativeIsAFault(long amount) {
        assertThatIllegalStateException().isThrownBy(() -> new Balance(amount, 1, NOW));
        assertThatIllegalStateException().isThrownBy(() -> Balance.ZERO.after(applied("op", amount, amount, 1)));
    }

    private static Balance at(long amount) {
        return new Balance(amount, 7, Instant.EPOCH);
    }

    private static Instant recordedAt(Balance balance, Instant now) {
        return ((Outcome.Applied) balance.decide(apply("op", 1), null, now))
                .receipt()
                .recordedAt();
    }
}
