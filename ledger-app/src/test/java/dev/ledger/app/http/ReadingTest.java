package dev.ledger.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Balances and statements, from the read models. */
@OnBothDatabases(properties = "ledger.http.at-least-timeout=2s")
class ReadingTest {

    private final RunningLedger ledger;
    private final LedgerClient alpha;

    ReadingTest(RunningLedger ledger) {
        this.ledger = ledger;
        this.alpha = ledger.client(Key.ALPHA);
    }

    @Test
    void anAccountHasItsBalanceItsSequenceAndItsLastChange() {
        alpha.apply("balance", "balance-1", 100);
        JsonNode last = alpha.apply("balance", "balance-2", -30).json();

        JsonNode account = atLeast("balance", 2);

        assertThat(account.propertyNames())
                .containsExactlyInAnyOrder("account", "balance", "sequence", "operations", "updatedAt");
        assertThat(account.path("account").asString()).isEqualTo("balance");
        assertThat(account.path("balance").asLong()).isEqualTo(70);
        assertThat(account.path("sequence").asLong()).isEqualTo(2);
        assertThat(account.path("operations").asLong()).isEqualTo(2);
        assertThat(account.path("updatedAt")).isEqualTo(last.path("recordedAt"));
        assertThat(alpha.get("/v1/accounts/balance").json()).isEqualTo(account);
    }

    @Test
    void anAccountWithoutOperationsIsNotFound() {
        alpha.get("/v1/accounts/nobody").isProblem(404, "not-found");
        alpha.get("/v1/accounts/nobody/operations").isProblem(404, "not-found");
        alpha.get("/v1/accounts/nobody?asOf=2026-01-01T00:00:00Z").isProblem(404, "not-found");
    }

    @Test
    void aReaderWaitsForTheSequenceItAskedForAndThenIsToldThatTheReadModelIsBehind() {
        alpha.apply("behind", "behind-1", 1);
        atLeast("behind", 1);
        long start = System.nanoTime();

        Answer answer = alpha.get("/v1/accounts/behind?atLeast=2");

        answer.isProblem(503, "projection-behind");
        assertThat(answer.header("Retry-After")).matches("[1-9][0-9]*");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(5));
    }

    @Test
    void aReaderThatWaitsGetsTheOperationThatComesMeanwhile() {
        for (int i = 0; i < 5; i++) {
            String id = "meanwhile-" + i;
            CompletableFuture<Answer> reader =
                    CompletableFuture.supplyAsync(() -> alpha.get("/v1/accounts/" + id + "?atLeast=1"));
            alpha.apply(id, id, i);

            assertThat(reader.join().hasStatus(200).json().path("balance").asLong())
                    .isEqualTo(i);
        }
    }

    @Test
    void asOfIsTheBalanceAfterTheLastOperationAtOrBeforeTheInstantToTheMicrosecond() {
        List<JsonNode> receipts = IntStream.rangeClosed(1, 4)
                .mapToObj(i -> alpha.apply("history", "history-" + i, i).json())
                .toList();
        awaitStatement("history", 4);
        List<Instant> times = receipts.stream()
                .map(receipt -> Instant.parse(receipt.path("recordedAt").asString()))
                .toList();

        alpha.get("/v1/accounts/history?asOf=" + times.get(0).minus(1, ChronoUnit.MICROS))
                .isProblem(404, "not-found");
        for (Instant time : times) {
            JsonNode latest = receipts.stream()
                    .filter(receipt -> !Instant.parse(receipt.path("recordedAt").asString())
                            .isAfter(time))
                    .max(Comparator.comparingLong(
                            receipt -> receipt.path("sequence").asLong()))
                    .orElseThrow();
            assertAsOf(time, latest);
            assertAsOf(time.plusNanos(999), latest);
        }
        assertAsOf(times.get(1).minusNanos(1), receipts.get(0));
        assertAsOf(Instant.parse("9999-12-31T23:59:59Z"), receipts.get(3));
        alpha.get("/v1/accounts/history?asOf=0000-01-01T00:00:00Z").isProblem(404, "not-found");
        // The same instant, said elsewhere in the world.
        assertThat(alpha.get("/v1/accounts/history?asOf=9999-12-31T23:59:59%2B02:00")
                        .hasStatus(200)
                        .json()
                        .path("balance")
                        .asLong())
                .isEqualTo(10);
    }

    private void assertAsOf(Instant instant, JsonNode receipt) {
        JsonNode account =
                alpha.get("/v1/accounts/history?asOf=" + instant).hasStatus(200).json();
        assertThat(account.path("balance")).as("as of %s", instant).isEqualTo(receipt.path("balance"));
        assertThat(account.path("sequence")).isEqualTo(receipt.path("sequence"));
        assertThat(account.path("updatedAt")).isEqualTo(receipt.path("recordedAt"));
    }

    @Test
    void aStatementIsTheReceiptsInOrder() {
        List<String> receipts = new ArrayList<>();
        receipts.add(alpha.put("statement", "statement-1", "{\"delta\":9007199254740993,\"memo\":\"é\"}")
                .text());
        receipts.add(alpha.put(
                        "statement",
                        "statement-2",
                        "{\"delta\":-3,\"causedBy\":\"x\",\"occurredAt\":\"1999-12-31T23:59:59.999999999Z\","
                                + "\"attributes\":{\"b\":\"2\",\"a\":\"\"}}")
                .text());
        receipts.add(alpha.apply("statement", "statement-3", 0).text());
        awaitStatement("statement", 3);

        assertThat(alpha.get("/v1/accounts/statement/operations").text())
                .startsWith("{\"items\":[" + String.join(",", receipts) + "],\"next\":\"");
    }

    /** Windows of time are half-open, so that two that meet hold each operation once. */
    @Test
    void fromBelongsToTheWindowAndToDoesNot() {
        List<Instant> times = IntStream.rangeClosed(1, 5)
                .mapToObj(i -> alpha.apply("window", "window-" + i, 1).json())
                .map(receipt -> Instant.parse(receipt.path("recordedAt").asString()))
                .toList();
        awaitStatement("window", 5);
        Instant second = times.get(1);
        Instant fourth = times.get(3);

        assertThat(window(second, fourth)).isEqualTo(count(times, second, fourth));
        assertThat(window(second.minusNanos(1), fourth)).isEqualTo(count(times, second, fourth));
        assertThat(window(second.plusNanos(1), fourth.plusNanos(1)))
                .isEqualTo(count(times, second.plusNanos(1), fourth.plusNanos(1)));
        assertThat(window(second, second)).isZero();
        assertThat(window(fourth, second)).isZero();
        Instant before = times.get(0).minusSeconds(1);
        Instant after = times.get(4).plusSeconds(1);
        for (Instant border : times) {
            assertThat(window(before, border) + window(border, after)).isEqualTo(5);
        }
    }

    private long window(Instant from, Instant to) {
        return items(alpha.get("/v1/accounts/window/operations?from=" + from + "&to=" + to))
                .size();
    }

    private static long count(List<Instant> times, Instant from, Instant to) {
        return times.stream()
                .filter(time -> !time.isBefore(from) && time.isBefore(to))
                .count();
    }

    /** K32. */
    @Test
    void pagesOfAStatementHoldEachLineOnceAlthoughRowsArriveInBetween() {
        IntStream.rangeClosed(1, 25).forEach(i -> alpha.apply("pages", "pages-" + i, 1));
        awaitStatement("pages", 25);
        List<Long> seen = new ArrayList<>();
        int arriving = 25;
        Answer page = alpha.get("/v1/accounts/pages/operations?limit=5");
        while (!items(page).isEmpty()) {
            items(page).forEach(item -> seen.add(item.path("sequence").asLong()));
            page = alpha.get("/v1/accounts/pages/operations?limit=5" + next(page));
            if (arriving < 28) {
                arriving++;
                alpha.apply("pages", "pages-" + arriving, 1);
                awaitStatement("pages", arriving);
            }
        }

        assertThat(seen)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 28).mapToObj(Long::valueOf).toList());
    }

    /** K32, for accounts that sort before and behind the page that is being read. */
    @Test
    void pagesOfAccountsHoldEachAccountOnceAlthoughOthersArriveInBetween() {
        LedgerClient beta = ledger.client(Key.BETA);
        List<String> accounts = List.of("B", "D", "F", "a", "b", "c-1", "c.1", "c_1", "d:1", "e");
        accounts.forEach(account -> beta.apply(account, "first-" + account, 1));
        accounts.forEach(
                account -> beta.get("/v1/accounts/" + account + "?atLeast=1").hasStatus(200));
        List<String> seen = new ArrayList<>();
        Answer answer = beta.get("/v1/accounts?limit=5");
        for (int page = 1; !items(answer).isEmpty(); page++) {
            items(answer).forEach(item -> seen.add(item.path("account").asString()));
            for (String late : List.of("A-" + page, "z-" + page)) {
                if (page <= 2) {
                    beta.apply(late, "late-" + late, 1);
                    beta.get("/v1/accounts/" + late + "?atLeast=1").hasStatus(200);
                }
            }
            answer = beta.get("/v1/accounts?limit=5" + next(answer));
        }

        assertThat(seen)
                .doesNotHaveDuplicates()
                .containsAll(accounts)
                .isSorted()
                .contains("z-1", "z-2");
        assertThat(seen).doesNotContain("A-1");
    }

    @Test
    void aPageHoldsAsManyAsWereAskedForAndTheOneBehindTheLastIsEmpty() {
        IntStream.rangeClosed(1, 6).forEach(i -> alpha.apply("limits", "limits-" + i, 1));
        awaitStatement("limits", 6);

        Answer first = alpha.get("/v1/accounts/limits/operations?limit=3");
        assertThat(items(first)).hasSize(3);
        Answer second = alpha.get("/v1/accounts/limits/operations?limit=3" + next(first));
        assertThat(items(second)).hasSize(3);
        Answer third = alpha.get("/v1/accounts/limits/operations?limit=3" + next(second));
        assertThat(items(third)).isEmpty();
        assertThat(next(third)).isEqualTo(next(second));
        assertThat(items(alpha.get("/v1/accounts/limits/operations?limit=1000")))
                .hasSize(6);
    }

    /** K45: whoever has caught up goes on from where he stood, as often as he likes. */
    @Test
    void aPollerOfAStatementGetsWhatIsNewOnceAndNothingWhenNothingIs() {
        String path = "/v1/accounts/polled/operations?limit=2";
        List<Long> seen = new ArrayList<>();
        String cursor = "";
        for (int recorded = 1; recorded <= 7; recorded++) {
            alpha.apply("polled", "polled-" + recorded, 1);
            awaitStatement("polled", recorded);
            if (recorded % 3 == 0) {
                continue; // Sometimes there are two new ones, sometimes one.
            }
            Answer page = alpha.get(path + cursor);
            while (!items(page).isEmpty()) {
                items(page).forEach(item -> seen.add(item.path("sequence").asLong()));
                cursor = next(page);
                page = alpha.get(path + cursor);
            }
            for (int again = 0; again < 3; again++) {
                Answer nothing = alpha.get(path + cursor);
                assertThat(items(nothing)).isEmpty();
                assertThat(next(nothing)).isEqualTo(cursor);
            }
        }

        assertThat(seen).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    /** K45: the position is a time and a sequence, so that a border between rows of one microsecond is one. */
    @Test
    void rowsOfOneMicrosecondAtThePagesBorderAreEachSeenOnce() throws SQLException {
        IntStream.rangeClosed(1, 9).forEach(i -> alpha.apply("one-moment", "one-moment-" + i, 1));
        awaitStatement("one-moment", 9);
        try (Connection connection = ledger.database().connect();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(
                            "update account_operation set recorded_at = (select min(recorded_at) from"
                                    + " account_operation where tenant = 'alpha' and account = 'one-moment')"
                                    + " where tenant = 'alpha' and account = 'one-moment'"))
                    .isEqualTo(9);
        }
        for (int limit = 1; limit <= 9; limit++) {
            String path = "/v1/accounts/one-moment/operations?limit=" + limit;
            List<Long> seen = new ArrayList<>();
            for (Answer page = alpha.get(path); !items(page).isEmpty(); page = alpha.get(path + next(page))) {
                items(page).forEach(item -> seen.add(item.path("sequence").asLong()));
            }
            assertThat(seen).as("limit %d", limit).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        }
    }

    @Test
    void anEmptyWindowOfAStatementHasANextThatGivesWhatComesIntoIt() {
        Instant first = Instant.parse(
                alpha.apply("quiet", "quiet-1", 1).json().path("recordedAt").asString());
        awaitStatement("quiet", 1);
        String path = "/v1/accounts/quiet/operations?from=" + first.plus(1, ChronoUnit.MICROS);
        Answer empty = alpha.get(path);
        assertThat(items(empty)).isEmpty();
        await().until(() -> Instant.now().isAfter(first.plusMillis(1)));

        alpha.apply("quiet", "quiet-2", 1);
        awaitStatement("quiet", 2);

        assertThat(items(alpha.get(path + next(empty))))
                .singleElement()
                .satisfies(
                        item -> assertThat(item.path("operationId").asString()).isEqualTo("quiet-2"));
    }

    /** A new account that sorts before the position is not shown to whoever has passed it: accounts have no order of time. */
    @Test
    void aPollerOfAccountsBeginsBeforeTheFirstAndGetsThoseThatSortBehindWhereHeStands() {
        LedgerClient gamma = ledger.client(Key.GAMMA);
        Answer none = gamma.get("/v1/accounts?limit=2");
        assertThat(items(none)).isEmpty();
        assertThat(next(gamma.get("/v1/accounts?limit=2" + next(none)))).isEqualTo(next(none));

        gamma.apply("+", "first", 1);
        gamma.get("/v1/accounts/+?atLeast=1").hasStatus(200);
        Answer first = gamma.get("/v1/accounts?limit=2" + next(none));
        assertThat(accounts(first)).containsExactly("+");
        Answer end = gamma.get("/v1/accounts?limit=2" + next(first));
        assertThat(items(end)).isEmpty();
        assertThat(next(end)).isEqualTo(next(first));

        gamma.apply("~", "second", 1);
        gamma.get("/v1/accounts/~?atLeast=1").hasStatus(200);
        Answer later = gamma.get("/v1/accounts?limit=2" + next(end));
        assertThat(accounts(later)).containsExactly("~");
        assertThat(items(gamma.get("/v1/accounts?limit=2" + next(later)))).isEmpty();
    }

    private static List<String> accounts(Answer page) {
        return items(page).stream().map(item -> item.path("account").asString()).toList();
    }

    /** A cursor is a position, not a right: with another tenant's one nobody sees more. */
    @Test
    void aCursorOfAnotherAccountShowsNothingOfIt() {
        IntStream.rangeClosed(1, 3).forEach(i -> alpha.apply("cursor-own", "cursor-own-" + i, 1));
        IntStream.rangeClosed(1, 3).forEach(i -> alpha.apply("cursor-other", "cursor-other-" + i, 1));
        awaitStatement("cursor-own", 3);
        awaitStatement("cursor-other", 3);
        String cursor = next(alpha.get("/v1/accounts/cursor-own/operations?limit=1"));

        assertThat(items(alpha.get("/v1/accounts/cursor-other/operations?limit=10" + cursor)))
                .allMatch(item -> item.path("account").asString().equals("cursor-other"));
        ledger.client(Key.BETA)
                .get("/v1/accounts/cursor-own/operations?limit=10" + cursor)
                .isProblem(404, "not-found");
    }

    private JsonNode atLeast(String account, long sequence) {
        return alpha.get("/v1/accounts/" + account + "?atLeast=" + sequence)
                .hasStatus(200)
                .json();
    }

    /** The statement is a read model of its own, which no request waits for. */
    private void awaitStatement(String account, int lines) {
        atLeast(account, lines);
        await().pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(ledger.jdbc()
                                .queryForObject(
                                        "select count(*) from account_operation where tenant = 'alpha' and account = ?",
                                        Integer.class,
                                        account))
                        .isEqualTo(lines));
    }

    private static List<JsonNode> items(Answer page) {
        return StreamSupport.stream(page.hasStatus(200).json().path("items").spliterator(), false)
                .toList();
    }

    /** The query of the next page, which each page has. */
    private static String next(Answer page) {
        String next = page.json().path("next").asString();
        assertThat(next).isNotEmpty();
        return "&cursor=" + next;
    }
}
