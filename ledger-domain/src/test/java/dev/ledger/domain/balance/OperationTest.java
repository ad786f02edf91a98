package dev.ledger.domain.balance;

import static dev.ledger.domain.balance.Fixtures.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperationTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "A-z.0_9:", "..", "-"})
    void anIdentifierIsTakenAsItIs(String id) {
        assertThat(Operation.of(new AccountKey("shop", id), id, 1).operationId())
                .isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " a", "a ", "a/b", "é", "a\u0000", "a\tb", "ａ", "a;b", "%41"})
    void anythingElseIsRefused(String id) { // K23, K24
        refused("operationId", () -> Operation.of(ALICE, id, 1));
        refused("account", () -> new AccountKey("shop", id));
        refused("tenant", () -> new AccountKey(id, "alice"));
        refused("causedBy", () -> operation(null, id, Map.of()));
    }

    @Test
    void anIdentifierHas128CharactersAtMost() {
        assertThat(Operation.of(ALICE, "x".repeat(128), 1).operationId()).hasSize(128);
        refused("operationId", () -> Operation.of(ALICE, "x".repeat(129), 1));
    }

    @Test
    void aMemoHas512CodePointsAtMost() {
        assertThat(operation("😀".repeat(512), null, Map.of()).memo()).hasSize(1024);
        refused("memo", () -> operation("a".repeat(513), null, Map.of()));
    }

    @Test
    void attributesHave4096BytesAtMost() {
        assertThat(operation(null, null, Map.of("k", "é".repeat(2047) + "x")).attributes())
                .hasSize(1);
        refused("attributes", () -> operation(null, null, Map.of("kk", "é".repeat(2047) + "x")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "a\ud83d", "\ude00", "\ude00\ud83d"})
    void textThatNoDatabaseOrDigestCanTakeIsRefused(String text) { // K22, K24
        refused("memo", () -> operation(text, null, Map.of()));
        refused("attributes", () -> operation(null, null, Map.of("k", text)));
        refused("attributes", () -> operation(null, null, Map.of(text, "v")));
    }

    @Test
    void attributesCannotBeChangedAfterwards() {
        TreeMap<String, String> attributes = new TreeMap<>(Map.of("a", "1"));
        Operation operation = new Operation(ALICE, "op", 1, null, null, null, attributes);

        attributes.put("a", "2");

        assertThat(operation.attributes()).containsExactly(Map.entry("a", "1"));
    }

    private static Operation operation(
            @Nullable String memo, @Nullable String causedBy, Map<String, String> attributes) {
        return new Operation(
                ALICE,
                "op",
                1,
                memo,
                null,
                causedBy,
                attributes.isEmpty() ? Collections.emptySortedMap() : new TreeMap<>(attributes));
    }

    private static void refused(String field, ThrowingCallable making) {
        assertThatExceptionOfType(InvalidOperationException.class)
                .isThrownBy(making)
                .returns(field, InvalidOperationException::field);
    }
}
