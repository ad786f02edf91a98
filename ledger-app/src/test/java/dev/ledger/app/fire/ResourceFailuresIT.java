package dev.ledger.app.fire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.commit.OutcomeUnknownException;
import dev.ledger.app.commit.StorageUnavailableException;
import dev.ledger.app.fire.CommitFaults.Fault;
import dev.ledger.app.fire.Teller.Order;
import dev.ledger.app.store.Database;
import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.domain.balance.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.h2.api.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The database has no disk or memory left, and says so in its own words: a state of class 53, or H2's. */
@OnBothDatabases(
        properties = {CommitFaults.PROPERTY, "ledger.commit.partitions=1", "ledger.commit.recovery-timeout=2s"})
public class ResourceFailuresIT {

    private final RunningLedger ledger;
    private final LedgerClient client;
    private final Teller teller;
    private final CommitFaults faults;

    ResourceFailuresIT(RunningLedger ledger) {
        this.ledger = ledger;
        this.client = ledger.client(Key.ALPHA);
        this.teller = new Teller(ledger);
        this.faults = ledger.bean(CommitFaults.class);
    }

    /** H2's disk. */
    public static final class FullDisk implements Trigger {

        private static final AtomicInteger INSERTS = new AtomicInteger();

        @Override
        public void fire(Connection connection, Object[] before, Object[] after) throws SQLException {
            INSERTS.incrementAndGet();
            throw noSpace();
        }
    }

    /** In a select on H2. */
    public static boolean readable() throws SQLException {
        throw noSpace();
    }

    private static SQLException noSpace() {
        return new SQLException("IO Exception: no space left on device", "90028", 90028);
    }

    @AfterEach
    void commitsSucceedAgain() {
        faults.none();
    }

    @Test
    void aFullDiskIsSaidToBeOneAndTheSameIdWorksOnceThereIsRoom() throws SQLException {
        client.apply("full", "full-1", 100).hasStatus(201);
        fillTheDisk();
        try {
            Answer answer = client.apply("full", "full-2", -80);
            answer.isProblem(503, "storage-unavailable");
            assertThat(answer.header("Retry-After")).matches("[1-9][0-9]*");
            assertThat(client.batch("{\"account\":\"full\",\"operationId\":\"full-3\",\"delta\":1}\n")
                            .lines()
                            .get(0)
                            .path("problem")
                            .path("code")
                            .asString())
                    .isEqualTo("storage-unavailable");
        } finally {
            makeRoom();
        }
        assertThat(journal().of("full")).hasSize(1);

        client.apply("full", "full-2", -80).hasStatus(201);
        client.apply("full", "full-2", -80).hasStatus(200);
        assertThat(journal().balance("full")).isEqualTo(20);
    }

    /** Halving a group of a hundred would ask the full disk some two hundred times. */
    @Test
    void aGroupIsNeitherHalvedNorTriedAgain() throws SQLException {
        List<Order> orders = IntStream.range(0, 100)
                .mapToObj(i -> new Order("whole-" + i, "whole-" + i, 1))
                .toList();
        AtomicInteger commits = new AtomicInteger();
        FullDisk.INSERTS.set(0);
        fillTheDisk();
        try {
            List<CompletableFuture<Outcome>> outcomes = teller.together(orders);
            outcomes.forEach(
                    outcome -> assertThat(Teller.failureOf(outcome)).isInstanceOf(StorageUnavailableException.class));
        } finally {
            makeRoom();
        }
        if (isH2()) {
            assertThat(FullDisk.INSERTS).hasValueLessThanOrEqualTo(100);
        }
        assertThat(journal().of("whole-0")).isEmpty();

        faults.next(() -> {
            commits.incrementAndGet();
            return Fault.EXHAUSTED;
        });
        List<CompletableFuture<Outcome>> outcomes = teller.together(orders, () -> commits.set(0));
        outcomes.forEach(
                outcome -> assertThat(Teller.failureOf(outcome)).isInstanceOf(StorageUnavailableException.class));
        assertThat(commits).hasValue(1);
        assertThat(journal().of("whole-0")).isEmpty();
    }

    /** C6: storage-unavailable would say that nothing was applied. */
    @Test
    void whatMayHaveBeenCommittedBeforeIsNotSaidToBeNotApplied() {
        Iterator<Fault> sequence = List.of(Fault.ANSWER_LOST, Fault.EXHAUSTED).iterator();
        List<CompletableFuture<Outcome>> outcomes = teller.together(
                List.of(new Order("maybe", "maybe-1", 1), new Order("maybe", "maybe-2", 2)),
                () -> faults.next(sequence::next));

        outcomes.forEach(outcome -> assertThat(Teller.failureOf(outcome)).isInstanceOf(OutcomeUnknownException.class));
        faults.none();
        assertThat(teller.apply("maybe", "maybe-1", 1)).isInstanceOf(Outcome.Replayed.class);
        assertThat(journal().balance("maybe")).isEqualTo(3);
    }

    @Test
    void aReadSaysTheSame() throws SQLException {
        client.apply("read", "read-1", 100).hasStatus(201);
        client.get("/v1/accounts/read?atLeast=1").hasStatus(200);
        makeBalancesUnreadable();
        try {
            Answer answer = client.get("/v1/accounts/read");
            answer.isProblem(503, "storage-unavailable");
            assertThat(answer.header("Retry-After")).matches("[1-9][0-9]*");
        } finally {
            execute("drop view account_balance");
            execute("alter table account_balance_table rename to account_balance");
        }
        client.get("/v1/accounts/read").hasStatus(200);
    }

    private void makeBalancesUnreadable() throws SQLException {
        execute(
                isH2()
                        ? "create alias readable for '" + ResourceFailuresIT.class.getName() + ".readable'"
                        : "create function readable() returns boolean language plpgsql as $$ begin"
                                + " raise exception 'out of memory' using errcode = '53200'; end $$");
        execute("alter table account_balance rename to account_balance_table");
        execute("create view account_balance as select * from account_balance_table where readable()");
    }

    private void fillTheDisk() throws SQLException {
        if (isH2()) {
            execute("create trigger full_disk before insert on domain_event for each row call '"
                    + FullDisk.class.getName() + "'");
            return;
        }
        execute("create or replace function full_disk() returns trigger language plpgsql as $$ begin"
                + " raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$");
        execute("create trigger full_disk before insert on domain_event for each row execute function full_disk()");
    }

    private void makeRoom() throws SQLException {
        execute(isH2() ? "drop trigger full_disk" : "drop trigger full_disk on domain_event");
    }

    private boolean isH2() {
        return ledger.database().kind() == Database.H2;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = ledger.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Journal journal() {
        return Journal.read(ledger.database());
    }
}
