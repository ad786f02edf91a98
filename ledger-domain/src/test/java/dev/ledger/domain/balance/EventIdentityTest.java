package dev.ledger.domain.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventIdentityTest {

    @Test
    void itIsAUuidOfVersion8() { // RFC 9562, section 5.8
        UUID id = UUID.fromString(EventIdentity.of("shop", "apply-delta", "op-1"));

        assertThat(id.version()).isEqualTo(8);
        assertThat(id.variant()).isEqualTo(2);
    }

    @Test
    void itNeverChanges() { // a golden value: stored events bear it
        assertThat(EventIdentity.of("default", "apply-delta", "order-1"))
                .isEqualTo("4e7b412e-17bd-8aa0-b49b-8a2d635c0109");
    }

    @Test
    void tenantsHandlersAndIdsNeverShareOne() { // A5
        assertThat(new String[] {
                    EventIdentity.of("a", "h", "id"),
                    EventIdentity.of("b", "h", "id"),
                    EventIdentity.of("a", "i", "id"),
                    EventIdentity.of("a", "h", "je")
                })
                .doesNotHaveDuplicates();
    }
}
