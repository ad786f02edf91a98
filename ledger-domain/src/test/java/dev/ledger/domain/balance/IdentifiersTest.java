package dev.ledger.domain.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifiersTest {

    @Test
    void ofAllCharactersOnlyTheseAreAllowed() { // K23, K24
        String allowed = IntStream.rangeClosed(Character.MIN_VALUE, Character.MAX_VALUE)
                .mapToObj(Character::toString)
                .filter(IdentifiersTest::isIdentifier)
                .collect(Collectors.joining());

        assertThat(allowed).isEqualTo("+-.0123456789:=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~");
    }

    @Test
    void thePatternSaysTheSame() {
        for (int c = Character.MIN_VALUE; c <= Character.MAX_VALUE; c++) {
            String text = Character.toString(c);
            assertThat(text.matches(Identifiers.PATTERN)).as("%04x", c).isEqualTo(isIdentifier(text));
        }
        for (int length : new int[] {0, 1, 128, 129}) {
            String text = "x".repeat(length);
            assertThat(text.matches(Identifiers.PATTERN)).isEqualTo(isIdentifier(text));
        }
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
    @ValueSource(strings = {"Order-1", "order-1", "..", "00", "-", "a:b_c.D", "a+b@c.d", "YQ==", "~"})
    void itIsTakenAsItIs(String id) { // never trimmed, never folded
        assertThat(Identifiers.require("operationId", id)).isSameAs(id);
    }

    /**
     * Worked out with another program before the rule became wider: what is stored is found again under the same
     * aggregate, the same event identity and the same digest.
     */
    @ParameterizedTest
    @CsvSource({
        "default, alice, order-1, , 4e7b412e-17bd-8aa0-b49b-8a2d635c0109,"
                + " 6f296b2ff3f363c96de1df9f210ed10e74819ab9fe556fb565364cc785a15758",
        "AZaz09._:-, AZaz09._:-, AZaz09._:-, AZaz09._:-, ca2bd2d7-dc6b-8eaa-b4b6-27add4081be2,"
                + " 7fcb2d66ab7467fc8854353ac6bb4e89dfe9eabe89f3af97ce9e961fc7e5a122",
        "t, .., :, -, b042c090-5da0-8a4f-85ed-8dae4b5a3d03,"
                + " 050d8d6bd2ff6d1a506da0ca381e807ea9b684d2f8939170716a5df77c98394f",
        "bank, points:c-7, e3e4d21a-0c71-8db6-bd8a-468a6da30670, evt_1, ddc46c12-4ecd-82b3-8487-d344acc70773,"
                + " c56038c79c8d52ddadf4d5e6a8ceccc677998784e9e801d3b59077e2528bbb41"
    })
    void whatWasLegalBeforeKeepsItsIdentityAndItsDigest(
            String tenant, String account, String operationId, String causedBy, String eventId, String digest) {
        Operation operation = new Operation(
                new AccountKey(tenant, account), operationId, 1250, null, null, causedBy, Collections.emptySortedMap());

        assertThat(new ApplyDelta(operation).eventId()).isEqualTo(eventId);
        assertThat(Digest.of(operation)).hasToString("sha-256:" + digest);
        assertThat(operation.key().aggregateIdentifier()).isEqualTo(tenant + "/" + account);
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
