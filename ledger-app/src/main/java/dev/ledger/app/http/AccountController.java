package dev.ledger.app.http;

import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import dev.ledger.app.security.Caller;
import dev.ledger.domain.balance.AccountKey;
import dev.ledger.domain.balance.Digest;
import dev.ledger.domain.balance.Identifiers;
import dev.ledger.domain.balance.InvalidOperationException;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.Receipt;
import dev.ledger.projections.balance.AccountBalance;
import dev.ledger.projections.balance.AccountBalanceRepository;
import dev.ledger.projections.balance.AccountBalances;
import dev.ledger.projections.operation.AccountOperation;
import dev.ledger.projections.operation.AccountOperationRepository;
import dev.ledger.projections.operation.AccountOperations;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/** Balances and statements, from the read models. */
@RestController
final class AccountController {

    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1000;

    /** Outside of what any operation can be recorded at, inside of what both databases can compare. */
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

    /** Before every account by name: below the least character of an identifier, which is a plus. */
    private static final String BEFORE_ACCOUNTS = "!";

    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long LONGEST_PAUSE_MILLIS = 100;

    private static final TypeReference<TreeMap<String, String>> ATTRIBUTES = new TypeReference<>() {};

    private final AccountBalanceRepository balances;
    private final AccountOperationRepository operations;
    private final ConsistentReads reads;
    private final HttpProperties properties;
    private final JsonMapper json;

    AccountController(
            AccountBalanceRepository balances,
            AccountOperationRepository operations,
            ConsistentReads reads,
            HttpProperties properties,
            JsonMapper json) {
        this.balances = balances;
        this.operations = operations;
        this.reads = reads;
        this.properties = properties;
        this.json = json;
    }

    @GetMapping("/v1/accounts/{account}")
    Map<String, Object> account(
            @AuthenticationPrincipal Caller caller,
            @PathVariable String account,
            @RequestParam(required = false) @Nullable String atLeast,
            @RequestParam(required = false) @Nullable String asOf) {
        AccountKey key = new AccountKey(caller.tenant(), account);
        if (atLeast != null && asOf != null) {
            throw new InvalidOperationException("asOf", "and atLeast exclude each other");
        }
        if (asOf != null) {
            return balanceAsOf(key, Instants.parse("asOf", asOf));
        }
        AccountBalance balance = atLeast == null
                ? reads.of(AccountBalances.NAME, () -> find(key))
                        .orElseThrow(() -> new ProblemException(Problem.notFound()))
                : awaitSequence(key, number("atLeast", atLeast, 0, Long.MAX_VALUE));
        return accountItem(balance);
    }

    /** By name, which is no order of time: what is new at the end is what sorts behind it. */
    @GetMapping("/v1/accounts")
    Map<String, Object> accounts(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(required = false) @Nullable String limit,
            @RequestParam(required = false) @Nullable String cursor) {
        String after = accountPosition(cursor);
        Limit size = Limit.of(limit(limit));
        List<AccountBalance> page =
                reads.of(AccountBalances.NAME, () -> balances.findPage(caller.tenant(), after, size));
        return page(page, AccountController::accountItem, AccountBalance::account, cursor, BEFORE_ACCOUNTS);
    }

    /** Those that were recorded at or after {@code from} and before {@code to}. */
    @GetMapping("/v1/accounts/{account}/operations")
    Map<String, Object> operations(
            @AuthenticationPrincipal Caller caller,
            @PathVariable String account,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to,
            @RequestParam(required = false) @Nullable String limit,
            @RequestParam(required = false) @Nullable String cursor) {
        AccountKey key = new AccountKey(caller.tenant(), account);
        StatementPosition after = StatementPosition.parse(Cursor.decode(cursor, StatementPosition.START));
        Instant first = from == null ? FIRST : firstMicrosecondFrom(Instants.parse("from", from));
        Instant end = to == null ? LAST : firstMicrosecondFrom(Instants.parse("to", to));
        Limit size = Limit.of(limit(limit));
        List<AccountOperation> page = reads.of(AccountOperations.NAME, () -> {
            List<AccountOperation> found = operations.findPage(
                    key.tenant(), key.account(), first, end, after.recordedAt(), after.sequence(), size);
            if (found.isEmpty() && latestUntil(key, LAST).isEmpty()) {
                throw new ProblemException(Problem.notFound());
            }
            return found;
        });
        return page(
                page,
                operation -> operationItem(key, operation),
                operation -> new StatementPosition(operation.recordedAt(), operation.sequence()).toString(),
                cursor,
                StatementPosition.START);
    }

    /** The account that a page ended with. */
    private static String accountPosition(@Nullable String cursor) {
        String position = Cursor.decode(cursor, BEFORE_ACCOUNTS);
        if (!position.equals(BEFORE_ACCOUNTS) && !position.matches(Identifiers.PATTERN)) {
            throw Cursor.invalid();
        }
        return position;
    }

    /**
     * Where a page of a statement ended. An account's operations are recorded in the order of their sequences, several of
     * them in one microsecond: with both, nothing is skipped at the border, and what comes later comes behind it (K45).
     */
    private record StatementPosition(Instant recordedAt, long sequence) {

        static final String START = "0001-01-01T00:00:00Z/0";

        static StatementPosition parse(String text) {
            String[] parts = text.split("/", -1);
            try {
                if (parts.length == 2) {
                    return new StatementPosition(within(Instant.parse(parts[0])), Long.parseLong(parts[1]));
                }
            } catch (DateTimeException | NumberFormatException e) {
                // Told below.
            }
            throw Cursor.invalid();
        }

        @Override
        public String toString() {
            return recordedAt + "/" + sequence;
        }
    }

    private Map<String, Object> balanceAsOf(AccountKey key, Instant at) {
        AccountOperation latest = reads.of(
                        AccountOperations.NAME, () -> latestUntil(key, within(at.truncatedTo(ChronoUnit.MICROS))))
                .orElseThrow(() -> new ProblemException(Problem.notFound()));
        return accountItem(key.account(), latest.balance(), latest.sequence(), latest.sequence(), latest.recordedAt());
    }

    private Optional<AccountOperation> latestUntil(AccountKey key, Instant at) {
        return operations.findLatest(key.tenant(), key.account(), at, Limit.of(1)).stream()
                .findFirst();
    }

    /** Asks again and again, since the read model may be written by another instance. */
    private AccountBalance awaitSequence(AccountKey key, long sequence) {
        long giveUpAt = System.nanoTime() + properties.atLeastTimeout().toNanos();
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (true) {
            Optional<AccountBalance> balance = find(key);
            if (balance.isPresent() && balance.get().sequence() >= sequence) {
                return balance.get();
            }
            if (System.nanoTime() - giveUpAt > 0) {
                throw new ProblemException(Problem.projectionBehind("the read model has not got that far"));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
            pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
        }
    }

    private Optional<AccountBalance> find(AccountKey key) {
        return balances.find(key.tenant(), key.account());
    }

    private static Map<String, Object> accountItem(AccountBalance balance) {
        return accountItem(
                balance.account(), balance.balance(), balance.sequence(), balance.operations(), balance.updatedAt());
    }

    private static Map<String, Object> accountItem(
            String account, long balance, long sequence, long operations, Instant updatedAt) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("account", account);
        item.put("balance", balance);
        item.put("sequence", sequence);
        item.put("operations", operations);
        item.put("updatedAt", updatedAt.toString());
        return item;
    }

    private RawValue operationItem(AccountKey key, AccountOperation operation) {
        Operation content = new Operation(
                key,
                operation.operationId(),
                operation.delta(),
                operation.memo(),
                operation.occurredAt(),
                operation.causedBy(),
                operation.attributes() == null
                        ? Collections.emptySortedMap()
                        : json.readValue(operation.attributes(), ATTRIBUTES));
        Receipt receipt = new Receipt(
                operation.operationId(),
                operation.delta(),
                operation.balance(),
                new Digest(operation.digest()),
                operation.handlerVersion(),
                operation.recordedAt(),
                operation.sequence());
        return new RawValue(new String(ReceiptJson.bytes(content, receipt), StandardCharsets.UTF_8));
    }

    /** Behind the last row stands where to go on; an empty page leaves its reader where he was (K45). */
    private static <T> Map<String, Object> page(
            List<T> rows,
            Function<T, Object> item,
            Function<T, String> position,
            @Nullable String cursor,
            String first) {
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("items", rows.stream().map(item).toList());
        if (!rows.isEmpty()) {
            page.put("next", Cursor.encode(position.apply(rows.get(rows.size() - 1))));
        } else {
            page.put("next", cursor == null ? Cursor.encode(first) : cursor);
        }
        return page;
    }

    private static int limit(@Nullable String limit) {
        return limit == null ? DEFAULT_LIMIT : (int) number("limit", limit, 1, MAX_LIMIT);
    }

    private static long number(String field, String text, long least, long most) {
        try {
            long number = Long.parseLong(text);
            if (text.chars().allMatch(c -> c < 128) && number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new InvalidOperationException(field, "must be a whole number from " + least + " to " + most);
    }

    /** Operations are recorded in microseconds: the first one that is not before an instant. */
    private static Instant firstMicrosecondFrom(Instant instant) {
        Instant micros = instant.truncatedTo(ChronoUnit.MICROS);
        return within(micros.equals(instant) ? micros : micros.plus(1, ChronoUnit.MICROS));
    }

    private static Instant within(Instant instant) {
        return instant.isBefore(FIRST) ? FIRST : instant.isAfter(LAST) ? LAST : instant;
    }
}
