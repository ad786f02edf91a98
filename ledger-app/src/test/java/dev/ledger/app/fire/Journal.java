package dev.ledger.app.fire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The final data: every stored event, read past the ledger, by account. */
final class Journal {

    private static final JsonMapper JSON = new JsonMapper();

    private final Map<String, List<Entry>> accounts;

    private Journal(Map<String, List<Entry>> accounts) {
        this.accounts = accounts;
    }

    record Entry(String operationId, long delta, long balance, long sequence) {}

    /** Also checks what is true of every journal: no hole, no operation twice, exact sums, never negative. */
    static Journal read(TestDatabase database) {
        try (Connection connection = database.connect()) {
            return read(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static Journal read(Connection connection) throws SQLException {
        Map<String, List<Entry>> accounts = new LinkedHashMap<>();
        try (PreparedStatement select =
                        connection.prepareStatement("select aggregate_identifier, sequence_number, payload"
                                + " from domain_event order by aggregate_identifier, sequence_number");
                ResultSet row = select.executeQuery()) {
            while (row.next()) {
                JsonNode event = JSON.readTree(row.getBytes(3));
                Entry entry = new Entry(
                        event.path("operationId").asString(),
                        event.path("delta").asLong(),
                        event.path("balance").asLong(),
                        event.path("sequence").asLong());
                assertThat(entry.sequence()).isEqualTo(row.getLong(2) + 1);
                accounts.computeIfAbsent(row.getString(1), account -> new ArrayList<>())
                        .add(entry);
            }
        }
        Journal journal = new Journal(accounts);
        journal.isSound();
        return journal;
    }

    private void isSound() {
        Set<String> operations = new HashSet<>();
        accounts.forEach((account, entries) -> {
            String tenant = account.substring(0, account.indexOf('/') + 1);
            long balance = 0;
            long sequence = 0;
            for (Entry entry : entries) {
                balance = Math.addExact(balance, entry.delta());
                sequence++;
                assertThat(entry.balance()).as("%s %s", account, entry).isNotNegative();
                assertThat(entry.sequence()).as("%s %s", account, entry).isEqualTo(sequence);
                assertThat(entry.balance()).as("%s %s", account, entry).isEqualTo(balance);
                assertThat(operations.add(tenant + entry.operationId()))
                        .as("%s once", entry)
                        .isTrue();
            }
        });
    }

    /** Of an account of the tenant of {@link Teller}, oldest first. */
    List<Entry> of(String account) {
        return accounts.getOrDefault(Teller.TENANT + "/" + account, List.of());
    }

    long balance(String account) {
        List<Entry> entries = of(account);
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).balance();
    }

    /** The entries of all accounts by operation id, for one tenant's worth of operations. */
    Map<String, Entry> byOperation() {
        Map<String, Entry> entries = new LinkedHashMap<>();
        accounts.values().forEach(account -> account.forEach(entry -> entries.put(entry.operationId(), entry)));
        return entries;
    }
}
