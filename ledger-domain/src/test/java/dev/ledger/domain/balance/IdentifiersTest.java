package dev.ledger.domain.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifiersTest {

    @Test
    void ofAllCharactersOnlyTheseAreAllowed() { // K23, K24
        String allowed = IntStream.rangeClosed(Character.MIN_VALUE, Character.MAX_VALUE)
                .mapToObj(Character::toString)
                .filter(IdentifiersTest::isIdentifier)
                .collect(Collectors.joining());

        assertThat(allowed).isEqualTo("-.0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");
    }

    @Test
    void aForbiddenCharacterIsFoundWhereverItIs() {
        for (int at = 0; at < Identifiers.MAX_LENGTH; at++) {
            StringBuilder id = new StringBuilder("x".repeat(Identifiers.MAX_LENGTH));
            id.setCharAt(at, '/');

            assertThat(isIdentifier(id.toString())).as("slash at %d", at).isFalse();
        }
    }

    @Test
    void anIdentifierHas1To128Characters() {
        assertThat(isIdentifier("")).isFalse();
        assertThat(isIdentifier("x")).isTrue();
        assertThat(isIdentifier("x".repeat(128))).isTrue();
        assertThat(isIdentifier("x".repeat(129))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Order-1", "order-1", "..", "00", "-", "a:b_c.D"})
    void itIsTakenAsItIs(String id) { // never trimmed, never folded
        assertThat(Identifiers.require("operationId", id)).isSameAs(id);
    }

    @Test
    void aRefusalNamesTheFieldAndKeepsTheValueToItself() {
        assertThatExceptionOfType(InvalidOperationException.class)
                .isThrownBy(() -> Identifiers.require("account", "s3cret value"))
                .returns("account", InvalidOperationException::field)
                .withMessageStartingWith("account ")
                .withMessageNotContaining("s3cret");
    }

    private static boolean isIdentifier(String text) {
        try {
            Identifiers.require("operationId", text);
            return true;
        } catch (InvalidOperationException refused) {
            return false;
        }
    }
}
