package dev.ledger.domain.balance;

import static dev.ledger.domain.balance.Fixtures.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
    void everyIdHas128CharactersAtMost() {
        String longest = "x".repeat(128);
        String tooLong = "x".repeat(129);

        Operation operation =
                new Operation(new AccountKey(longest, longest), longest, 1, null, null, longest, new TreeMap<>());

        assertThat(operation.key().aggregateIdentifier()).isEqualTo(longest + "/" + longest);
        refused("operationId", () -> Operation.of(ALICE, tooLong, 1));
        refused("account", () -> new AccountKey("shop", tooLong));
        refused("tenant", () -> new AccountKey(tooLong, "alice"));
        refused("causedBy", () -> operation(null, tooLong, Map.of()));
    }

    @Test
    void aMemoHas512CodePointsAtMost() {
        assertThat(operation("😀".repeat(512), null, Map.of()).memo()).hasSize(1024);
        assertThat(operation("", null, Map.of()).memo()).isEmpty();
        refused("memo", () -> operation("a".repeat(513), null, Map.of()));
        refused("memo", () -> operation("😀".repeat(513), null, Map.of()));
    }

    @Test
    void attributesHave4096BytesAtMost() {
        assertThat(operation(null, null, Map.of("k", "é".repeat(2047) + "x")).attributes())
                .hasSize(1);
        refused("attributes", () -> operation(null, null, Map.of("kk", "é".repeat(2047) + "x")));
        refused("attributes", () -> operation(null, null, Map.of("a", "x".repeat(2048), "b", "x".repeat(2047))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "a\ud83d", "\ude00", "\ude00\ud83d"})
    void textThatNoDatabaseOrDigestCanTakeIsRefused(String text) { // K22, K24
        refused("memo", () -> operation(text, null, Map.of()));
        refused("attributes", () -> operation(null, null, Map.of("k", text)));
        refused("attributes", () -> operation(null, null, Map.of(text, "v")));
    }

    @Test
    void aRefusalKeepsTheValueToItself() {
        assertThatExceptionOfType(InvalidOperationException.class)
                .isThrownBy(() -> operation("s3cret\u0000", null, Map.of()))
                .withMessageNotContaining("s3cret");
    }

    @Test
    void attributesCannotBeChangedAfterwards() {
        TreeMap<String, String> attributes = new TreeMap<>(Map.of("a", "1"));
        Operation operation = new Operation(ALICE, "op", 1, null, null, null, attributes);

        attributes.put("a", "2");

        assertThat(operation.attributes()).containsExactly(Map.entry("a", "1"));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> operation.attributes().put("a", "2"));
    }

    private static Operation operation(
            @Nullable String memo, @Nullable String causedBy, Map<String, String> attributes) {
        return new Operation(ALICE, "op", 1, memo, null, causedBy, new TreeMap<>(attributes));
    }

    private static void refused(String field, ThrowingCallable making) {
        assertThatExceptionOfType(InvalidOperationException.class)
                .isThrownBy(making)
                .returns(field, InvalidOperationException::field);
    }
}
