package dev.ledger.app.fire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.fire.Teller.Order;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.domain.balance.Outcome;
import dev.ledger.domain.balance.Rejection;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The database has lost the last commits behind a running instance's back, as after a failover to a standby that lacked
 * them: nothing rests on what only the instance still remembers.
 */
@OnBothDatabases(properties = "ledger.commit.partitions=1")
class LostCommitsIT {

    private final RunningLedger ledger;
    private final Teller teller;

    LostCommitsIT(RunningLedger ledger) {
        this.ledger = ledger;
        this.teller = new Teller(ledger);
    }

    @Test
    void theNextOperationGoesOnFromWhatIsStored() throws SQLException {
        teller.apply("next", "next-1", 100);
        teller.apply("next", "next-2", 50);
        teller.apply("next", "next-3", 7);
        truncate("next", 1);

        assertThat(Teller.receipt(teller.apply("next", "next-4", -30)).balance())
                .isEqualTo(70);
        assertThat(journal().of("next"))
                .containsExactly(new Journal.Entry("next-1", 100, 100, 1), new Journal.Entry("next-4", -30, 70, 2));
    }

    @Test
    void whatOnlyALostCommitCouldPayForIsRefused() throws SQLException {
        teller.apply("granted", "granted-1", 100);
        teller.apply("granted", "granted-2", 50);
        truncate("granted", 1);

        assertThat(teller.apply("granted", "granted-3", -120))
                .isEqualTo(new Outcome.Rejected(new Rejection.InsufficientBalance(100, -120)));
        assertThat(journal().balance("granted")).isEqualTo(100);
    }

    /** A refusal appends nothing, so it has to look. */
    @Test
    void whatALostCommitSeemsToHaveSpentIsThere() throws SQLException {
        teller.apply("refused", "refused-1", 100);
        teller.apply("refused", "refused-2", -80);
        truncate("refused", 1);

        assertThat(Teller.receipt(teller.apply("refused", "refused-3", -50)).balance())
                .isEqualTo(50);
        assertThat(journal().of("refused"))
                .extracting(Journal.Entry::operationId)
                .containsExactly("refused-1", "refused-3");
    }

    /** Behind a decision of the same group, and with another refusal, the balance is still looked at. */
    @Test
    void aRefusalBehindAnOperationOfTheSameGroupIsJudgedByWhatIsStored() throws SQLException {
        teller.apply("behind", "behind-1", 100);
        teller.apply("behind", "behind-2", -80);
        truncate("behind", 1);
        List<CompletableFuture<Outcome>> outcomes =
                teller.together(List.of(new Order("behind", "behind-3", 5), new Order("behind", "behind-4", -100)));

        assertThat(Teller.receipt(Teller.await(outcomes.get(0))).balance()).isEqualTo(105);
        assertThat(Teller.receipt(Teller.await(outcomes.get(1))).balance()).isEqualTo(5);
        assertThat(journal().balance("behind")).isEqualTo(5);
    }

    @Test
    void anAccountThatWasLostAltogetherBeginsAnew() throws SQLException {
        teller.apply("gone", "gone-1", 100);
        teller.apply("gone", "gone-2", 100);
        truncate("gone", 0);

        assertThat(teller.apply("gone", "gone-3", -10))
                .isEqualTo(new Outcome.Rejected(new Rejection.InsufficientBalance(0, -10)));
        assertThat(Teller.receipt(teller.apply("gone", "gone-4", 10)).sequence())
                .isEqualTo(1);
        assertThat(journal().of("gone")).containsExactly(new Journal.Entry("gone-4", 10, 10, 1));
    }

    /** Its sender was told that it took effect; sent again, it does. */
    @Test
    void aLostOperationThatComesAgainTakesEffectAgain() throws SQLException {
        teller.apply("again", "again-1", 100);
        teller.apply("again", "again-2", 50);
        truncate("again", 1);
        teller.apply("again", "again-3", 1);

        assertThat(teller.apply("again", "again-2", 50)).isInstanceOf(Outcome.Applied.class);
        assertThat(journal().of("again"))
                .extracting(Journal.Entry::operationId)
                .containsExactly("again-1", "again-3", "again-2");
    }

    /** One account's loss undoes the group once; each of its commands has its own outcome. */
    @Test
    void theOthersOfTheGroupAreAppliedOnce() throws SQLException {
        List<Order> orders = new ArrayList<>();
        for (int account = 0; account < 20; account++) {
            teller.apply("group-" + account, "group-a-" + account, 10);
            teller.apply("group-" + account, "group-b-" + account, 10);
            for (int i = 0; i < 5; i++) {
                orders.add(new Order("group-" + account, "group-c-" + account + "-" + i, 1));
            }
        }
        truncate("group-7", 1);
        double overtaken = overtaken();
        List<CompletableFuture<Outcome>> outcomes = teller.together(orders);

        outcomes.forEach(outcome -> assertThat(Teller.await(outcome)).isInstanceOf(Outcome.Applied.class));
        for (int account = 0; account < 20; account++) {
            assertThat(journal().balance("group-" + account)).isEqualTo(account == 7 ? 15 : 25);
        }
        assertThat(overtaken() - overtaken).isEqualTo(1);
    }

    /** What the group itself has decided is no reason to take a balance for stale. */
    @Test
    void whereNothingWasLostNothingIsDecidedTwice() {
        teller.apply("sound", "sound-1", 10);
        double overtaken = overtaken();
        List<CompletableFuture<Outcome>> outcomes = teller.together(List.of(
                new Order("sound", "sound-2", 5),
                new Order("sound", "sound-3", -100),
                new Order("sound", "sound-4", 5),
                new Order("sound-new", "sound-5", -1),
                new Order("sound-new", "sound-6", 1),
                new Order("sound-new", "sound-7", -2)));

        assertThat(outcomes.stream().map(Teller::await).map(Outcome::getClass))
                .containsExactly(
                        Outcome.Applied.class,
                        Outcome.Rejected.class,
                        Outcome.Applied.class,
                        Outcome.Rejected.class,
                        Outcome.Applied.class,
                        Outcome.Rejected.class);
        assertThat(overtaken() - overtaken).isZero();
        assertThat(journal().balance("sound")).isEqualTo(20);
    }

    private double overtaken() {
        return ledger.bean(MeterRegistry.class)
                .counter("ledger.commit.overtaken")
                .count();
    }

    /** Leaves the first events of an account. */
    private void truncate(String account, int kept) throws SQLException {
        try (Connection connection = ledger.database().connect();
                PreparedStatement delete = connection.prepareStatement(
                        "delete from domain_event where aggregate_identifier = ? and sequence_number >= ?")) {
            delete.setString(1, Teller.TENANT + "/" + account);
            delete.setInt(2, kept);
            assertThat(delete.executeUpdate()).isPositive();
        }
    }

    private Journal journal() {
        return Journal.read(ledger.database());
    }
}
