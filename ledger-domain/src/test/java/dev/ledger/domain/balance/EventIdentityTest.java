package dev.ledger.domain.balance;

import static dev.ledger.domain.balance.Fixtures.applied;
import static dev.ledger.domain.balance.Fixtures.apply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventIdentityTest {

    @Test
    void itIsAUuidOfVersion8() { // RFC 9562, section 5.8; many, since the version is four bits that chance may set
        for (int i = 0; i < 1000; i++) {
            String text = EventIdentity.of("shop", "apply-delta", "op-" + i);
            UUID id = UUID.fromString(text);

            assertThat(id.version()).isEqualTo(8);
            assertThat(id.variant()).isEqualTo(2);
            assertThat(id).hasToString(text);
        }
    }

    @ParameterizedTest
    @CsvSource({ // worked out with another program: stored events bear them
        "default, apply-delta, order-1, 4e7b412e-17bd-8aa0-b49b-8a2d635c0109",
        "shop, apply-delta, op-1, f6dfed76-8ee0-8329-ad64-cf96079d6927",
        "bank, apply-delta, op-1, 4e97e6c7-a6a6-864c-9e72-7aa1dd82aebb",
        "shop, loyalty-points, op-1, 324ed5e2-3510-88fd-b2c4-b4441c14e7f2"
    })
    void itNeverChanges(String tenant, String handler, String id, String identity) { // A3
        assertThat(EventIdentity.of(tenant, handler, id)).isEqualTo(identity);
    }

    @Test
    void tenantsHandlersAndIdsNeverShareOne() { // A5: triples whose parts, run together, are often the same text
        Random random = new Random(1);
        Map<String, String> tripleByIdentity = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            String[] triple = {identifier(random), identifier(random), identifier(random)};
            String text = String.join(" ", triple);
            String before = tripleByIdentity.put(EventIdentity.of(triple[0], triple[1], triple[2]), text);

            assertThat(before).isIn(null, text);
        }
    }

    @Test
    void theSeparatorIsNoPartOfAnIdentifier() { // A7: or a tenant could write its way into another's identities
        assertThatExceptionOfType(InvalidOperationException.class).isThrownBy(() -> EventIdentity.of("a/b", "c", "d"));
        assertThatExceptionOfType(InvalidOperationException.class).isThrownBy(() -> EventIdentity.of("a", "b/c", "d"));
        assertThatExceptionOfType(InvalidOperationException.class).isThrownBy(() -> EventIdentity.of("a", "b", "c/d"));
        assertThatExceptionOfType(InvalidOperationException.class).isThrownBy(() -> new AccountKey("a/b", "alice"));
        assertThatExceptionOfType(InvalidOperationException.class).isThrownBy(() -> new AccountKey("a", "b/alice"));
        assertThatExceptionOfType(InvalidOperationException.class).isThrownBy(() -> apply("b/op", 1));
    }

    @Test
    void theCommandAndItsEventHaveTheSame() {
        assertThat(applied("op-1", 5, 5, 1).eventId())
                .isEqualTo(apply("op-1", 5).eventId())
                .isEqualTo(EventIdentity.of("shop", "apply-delta", "op-1"));
    }

    private static String identifier(Random random) {
        StringBuilder id = new StringBuilder();
        for (int n = random.nextInt(4); n >= 0; n--) {
            id.append("ab-:+=@~".charAt(random.nextInt(8)));
        }
        return id.toString();
    }
}
