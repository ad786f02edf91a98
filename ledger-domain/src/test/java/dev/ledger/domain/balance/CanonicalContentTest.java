package dev.ledger.domain.balance;

import static dev.ledger.domain.balance.Fixtures.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
    void anInstantIsTheSameInEveryZoneAndOthersAreNot() {
        Operation utc = occurredAt(Instant.parse("2026-01-01T00:00:00Z"));
        Operation elsewhere =
                occurredAt(OffsetDateTime.parse("2026-01-01T02:00:00+02:00").toInstant());

        assertThat(Digest.of(elsewhere)).isEqualTo(Digest.of(utc));
        assertThat(Digest.of(occurredAt(utc.occurredAt().plusNanos(1)))).isNotEqualTo(Digest.of(utc));
    }

    @Test
    void theOperationIdIsNoContentButTheAccountIs() {
        Digest digest = Digest.of(Operation.of(ALICE, "op-1", 5));

        assertThat(Digest.of(Operation.of(ALICE, "op-2", 5))).isEqualTo(digest);
        assertThat(Digest.of(Operation.of(Fixtures.BOB, "op-1", 5))).isNotEqualTo(digest);
    }

    @Test
    void keysAreInTheOrderOfTheirUtf16Units() { // RFC 8785, section 3.2.3: not of their code points
        String beyondTheBmp = "\ud83d\ude00";
        String lateInTheBmp = "\ufb33";

        assertThat(CanonicalContent.of(new TreeMap<>(Map.of(lateInTheBmp, "2", beyondTheBmp, "1", "a", "0"))))
                .isEqualTo("{\"a\":\"0\",\"" + beyondTheBmp + "\":\"1\",\"" + lateInTheBmp + "\":\"2\"}");
    }

    @Test
    void theOrderOfTheCallersMapIsNoDifference() {
        SortedMap<String, String> backwards = new TreeMap<>(Comparator.reverseOrder());
        backwards.putAll(Map.of("a", "1", "b", "2", "c", "3"));

        assertThat(Digest.of(withAttributes(backwards)))
                .isEqualTo(Digest.of(withAttributes(new TreeMap<>(Map.of("a", "1", "b", "2", "c", "3")))));
    }

    @Test
    void emptyAttributesAreTheSameAsNone() { // but an empty memo is a memo
        assertThat(text(withAttributes(new TreeMap<>()))).isEqualTo(text(Operation.of(ALICE, "op", 1)));
        assertThat(Digest.of(withMemo(""))).isNotEqualTo(Digest.of(Operation.of(ALICE, "op", 1)));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE})
    void theDeltaIsWrittenInFull(long delta) {
        assertThat(text(Operation.of(ALICE, "op", delta)))
                .isEqualTo("{\"account\":\"alice\",\"delta\":\"" + delta + "\"}");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anIndependentCanonicaliserAgrees(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            Operation operation = new Operation(
                    ALICE,
                    "op",
                    random.nextLong(),
                    random.nextBoolean() ? text(random) : null,
                    random.nextBoolean() ? Instant.ofEpochSecond(random.nextInt(), random.nextInt(1000)) : null,
                    random.nextBoolean() ? "op-0" : null,
                    attributes(random));

            assertThat(text(operation)).isEqualTo(new JsonCanonicalizer(json(operation, random)).getEncodedString());
        }
    }

    private static SortedMap<String, String> attributes(Random random) {
        SortedMap<String, String> attributes = new TreeMap<>();
        for (int n = random.nextInt(5); n > 0; n--) {
            attributes.put(text(random), text(random));
        }
        return attributes;
    }

    /** The operation as a careless client might write it: members in any order, every character escaped. */
    private static String json(Operation operation, Random random) {
        Map<String, String> members = new HashMap<>();
        members.put("account", quoted(operation.key().account()));
        members.put("delta", quoted(Long.toString(operation.delta())));
        if (operation.memo() != null) {
            members.put("memo", quoted(operation.memo()));
        }
        if (operation.occurredAt() != null) {
            members.put("occurredAt", quoted(operation.occurredAt().toString()));
        }
        if (operation.causedBy() != null) {
            members.put("causedBy", quoted(operation.causedBy()));
        }
        if (!operation.attributes().isEmpty()) {
            Map<String, String> attributes = new HashMap<>();
            operation.attributes().forEach((name, value) -> attributes.put(name, quoted(value)));
            members.put("attributes", object(attributes, random));
        }
        return object(members, random);
    }

    private static String object(Map<String, String> members, Random random) {
        List<String> shuffled = new ArrayList<>();
        members.forEach((name, value) -> shuffled.add(quoted(name) + " : " + value));
        Collections.shuffle(shuffled, random);
        return "{ " + String.join(" , ", shuffled) + " }";
    }

    private static String quoted(String text) {
        return text.chars().mapToObj("\\u%04X"::formatted).collect(Collectors.joining("", "\"", "\""));
    }

    private static String text(Random random) {
        int[] points = {'"', '\\', '/', 'a', 'Z', 0x7f, 0xe9, 0x301, 0x2028, 0xfb33, 0xffff, 0x1f600, 0x10ffff};
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(6); n >= 0; n--) {
            text.appendCodePoint(
                    random.nextBoolean() ? points[random.nextInt(points.length)] : 1 + random.nextInt(0x20));
        }
        return text.toString();
    }

    private static String text(Operation operation) {
        return new String(CanonicalContent.of(operation), StandardCharsets.UTF_8);
    }

    private static Operation withMemo(String memo) {
        return new Operation(ALICE, "op", 1, memo, null, null, Collections.emptySortedMap());
    }

    private static Operation withAttributes(SortedMap<String, String> attributes) {
        return new Operation(ALICE, "op", 1, null, null, null, attributes);
    }

    private static Operation occurredAt(Instant instant) {
        return new Operation(ALICE, "op", 1, null, instant, null, Collections.emptySortedMap());
    }
}
