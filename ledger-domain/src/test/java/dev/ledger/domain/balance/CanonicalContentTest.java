package dev.ledger.domain.balance;

import static dev.ledger.domain.balance.Fixtures.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalContentTest {

    @Test
    void membersAreSortedAndTheDeltaIsAString() {
        Operation operation = new Operation(
                ALICE,
                "op-1",
                -5,
                "é\n\"\\\u0001",
                Instant.parse("2026-01-01T00:00:00Z"),
                "op-0",
                new TreeMap<>(Map.of("b", "2", "a", "1")));

        assertThat(text(operation))
                .isEqualTo("{\"account\":\"alice\",\"attributes\":{\"a\":\"1\",\"b\":\"2\"},\"causedBy\":\"op-0\","
                        + "\"delta\":\"-5\",\"memo\":\"é\\n\\\"\\\\\\u0001\",\"occurredAt\":\"2026-01-01T00:00:00Z\"}");
    }

    @Test
    void integersAboveTwoToThe53AreNotFoldedTogether() { // K22
        assertThat(Digest.of(Operation.of(ALICE, "op", (1L << 53) + 1)))
                .isNotEqualTo(Digest.of(Operation.of(ALICE, "op", 1L << 53)));
    }

    @Test
    void textIsTakenAsItWasSent() { // K22: é as one code point and as e with an accent
        assertThat(Digest.of(withMemo("\u00e9"))).isNotEqualTo(Digest.of(withMemo("e\u0301")));
    }

    @Test
    void anInstantIsTheSameInEveryZone() {
        Operation utc = occurredAt(Instant.parse("2026-01-01T00:00:00Z"));
        Operation elsewhere =
                occurredAt(OffsetDateTime.parse("2026-01-01T02:00:00+02:00").toInstant());

        assertThat(Digest.of(elsewhere)).isEqualTo(Digest.of(utc));
    }

    @Test
    void theOperationIdIsNoContentButTheAccountIs() {
        Digest digest = Digest.of(Operation.of(ALICE, "op-1", 5));

        assertThat(Digest.of(Operation.of(ALICE, "op-2", 5))).isEqualTo(digest);
        assertThat(Digest.of(Operation.of(Fixtures.BOB, "op-1", 5))).isNotEqualTo(digest);
    }

    @Test
    void theDigestCarriesItsAlgorithm() { // A6; a golden value, so that the canonical form cannot drift unnoticed
        assertThat(Digest.of(Operation.of(ALICE, "op-1", 5)).text())
                .isEqualTo("sha-256:" + sha256("{\"account\":\"alice\",\"delta\":\"5\"}"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anIndependentCanonicaliserAgrees(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            SortedMap<String, String> attributes = new TreeMap<>();
            for (int n = random.nextInt(4); n >= 0; n--) {
                attributes.put(text(random), text(random));
            }
            String canonical =
                    text(new Operation(ALICE, "op", random.nextLong(), text(random), null, null, attributes));

            assertThat(canonical).isEqualTo(new JsonCanonicalizer(canonical).getEncodedString());
        }
    }

    private static String text(Random random) {
        int[] points = {0x01, 0x08, 0x1f, '"', '\\', '/', 'a', 'Z', 0x7f, 0xe9, 0x2028, 0xfb33, 0x1f600, 0x10ffff};
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(6); n >= 0; n--) {
            text.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return text.toString();
    }

    private static String text(Operation operation) {
        return new String(CanonicalContent.of(operation), StandardCharsets.UTF_8);
    }

    private static String sha256(String text) {
        return HexFormat.of().formatHex(Digest.sha256(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Operation withMemo(String memo) {
        return new Operation(ALICE, "op", 1, memo, null, null, Collections.emptySortedMap());
    }

    private static Operation occurredAt(Instant instant) {
        return new Operation(ALICE, "op", 1, null, instant, null, Collections.emptySortedMap());
    }
}
