package dev.ledger.domain.balance;

import static dev.ledger.domain.balance.Fixtures.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestTest {

    private static final String HEX = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void itIsSha256AndSaysSo() { // A6; the first example of FIPS 180-2
        assertThat(Digest.ofCanonical("abc".getBytes(StandardCharsets.US_ASCII)).text())
                .isEqualTo("sha-256:" + HEX);
    }

    @Test
    void theDigestsOfStoredOperationsNeverChange() { // worked out with another program: receipts bear them for years
        assertThat(Digest.of(Operation.of(ALICE, "op-1", 5)))
                .hasToString("sha-256:f726c3298be0ba9ff10a1de2052fee7420c7c13380a51ae47e30879a27222ebd");
        assertThat(Digest.of(new Operation(
                        ALICE,
                        "op-1",
                        -5,
                        "é\n\"\\\u0001",
                        Instant.parse("2026-01-01T00:00:00Z"),
                        "op-0",
                        new TreeMap<>(Map.of("b", "2", "a", "1")))))
                .hasToString("sha-256:b00020e7d3441949f25eaaf5e01aa67795d13b301a87c7dd35813b1933f62d71");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                HEX,
                "sha-256:",
                "sha-256:" + HEX + "0",
                "sha-512:" + HEX,
                "SHA-256:" + HEX,
                "sha_256:" + HEX,
                " sha-256:" + HEX,
                "sha-256:ZA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"
            })
    void whatNamesNoKnownAlgorithmIsNoDigest(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Digest(text));
    }

    @Test
    void whatWasStoredIsReadBack() {
        assertThat(new Digest("sha-256:" + HEX))
                .isEqualTo(Digest.ofCanonical("abc".getBytes(StandardCharsets.US_ASCII)));
    }
}
