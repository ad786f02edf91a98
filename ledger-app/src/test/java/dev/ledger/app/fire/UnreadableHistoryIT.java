package dev.ledger.app.fire;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ledger.app.commit.AccountCache;
import dev.ledger.app.fire.Teller.Order;
import dev.ledger.app.store.UnreadableHistoryException;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.domain.balance.Outcome;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** K17 and its edge: events that are stored and that an upcaster removed. */
@OnBothDatabases(properties = {ForgetfulUpcaster.PROPERTY, "ledger.commit.partitions=1"})
class UnreadableHistoryIT {

    private final RunningLedger ledger;
    private final LedgerClient client;
    private final Teller teller;

    UnreadableHistoryIT(RunningLedger ledger) {
        this.ledger = ledger;
        this.client = ledger.client(Key.ALPHA);
        this.teller = new Teller(ledger);
    }

    @Test
    void anAccountWithoutOneReadableEventIsNotTakenForNew() {
        client.apply("forgotten", "forgotten-1", 100).hasStatus(201);
        client.apply("forgotten", "forgotten-2", 100).hasStatus(201);
        ledger.bean(AccountCache.class).removeAll();
        double overtaken = overtaken();
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.ledger");
        logger.addAppender(log);
        try {
            client.apply("forgotten", "forgotten-3", 1).isProblem(500, "history-unreadable");
        } finally {
            logger.detachAppender(log);
        }

        assertThat(log.list)
                .filteredOn(event -> event.getLevel() == Level.ERROR)
                .hasSize(1);
        assertThat(overtaken() - overtaken).as("tries").isZero();
        // A refusal would have been one on a balance of nothing.
        client.apply("forgotten", "forgotten-4", -50).isProblem(500, "history-unreadable");
        assertThat(ledger.storedOperations(Key.ALPHA, "forgotten")).isEqualTo(2);
    }

    @Test
    void theOthersOfTheGroupAreApplied() {
        teller.apply("forgotten-too", "too-1", 100);
        teller.apply("remembered", "remembered-1", 100);
        ledger.bean(AccountCache.class).removeAll();
        List<CompletableFuture<Outcome>> outcomes = teller.together(List.of(
                new Order("remembered", "remembered-2", 1),
                new Order("forgotten-too", "too-2", 1),
                new Order("remembered", "remembered-3", 1),
                new Order("forgotten-too", "too-3", -1),
                new Order("unheard-of", "unheard-of-1", 1)));

        for (int unreadable : List.of(1, 3)) {
            assertThat(Teller.failureOf(outcomes.get(unreadable))).isInstanceOf(UnreadableHistoryException.class);
        }
        for (int readable : List.of(0, 2, 4)) {
            assertThat(Teller.await(outcomes.get(readable))).isInstanceOf(Outcome.Applied.class);
        }
        Journal journal = Journal.read(ledger.database());
        assertThat(journal.balance("remembered")).isEqualTo(102);
        assertThat(journal.of("forgotten-too")).hasSize(1);
        assertThat(journal.balance("unheard-of")).isEqualTo(1);
    }

    /** K17: the sequence comes from what is stored; the balance is the last that can be read. */
    @Test
    void anAccountWhoseLastEventsWereRemovedGoesOnBehindThem() {
        teller.apply("half-forgotten", "half-1", 100);
        teller.apply("half-forgotten", "half-2", 0);
        teller.apply("half-forgotten", "half-3", 0);
        ledger.bean(AccountCache.class).removeAll();

        assertThat(Teller.receipt(teller.apply("half-forgotten", "half-4", 5)).sequence())
                .isEqualTo(4);
        assertThat(teller.apply("half-forgotten", "half-5", -1000)).isInstanceOf(Outcome.Rejected.class);
        assertThat(Journal.read(ledger.database()).of("half-forgotten")).hasSize(4);
    }

    private double overtaken() {
        return ledger.bean(MeterRegistry.class)
                .counter("ledger.commit.overtaken")
                .count();
    }
}
