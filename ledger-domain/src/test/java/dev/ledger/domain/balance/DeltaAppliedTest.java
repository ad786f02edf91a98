package dev.ledger.domain.balance;

import static dev.ledger.domain.balance.Fixtures.ALICE;
import static dev.ledger.domain.balance.Fixtures.NOW;
import static dev.ledger.domain.balance.Fixtures.apply;
import static dev.ledger.domain.balance.Fixtures.receipt;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DeltaAppliedTest {

    @Test
    void theEventAloneGivesBackTheOperationAndTheReceipt() { // A6, B5
        ApplyDelta command = new ApplyDelta(new Operation(
                ALICE,
                "op-1",
                Long.MAX_VALUE,
                "é",
                Instant.parse("2026-01-01T00:00:00.000000001Z"),
                "op-0",
                new TreeMap<>(Map.of("till", "7"))));
        Receipt receipt = receipt(command, Long.MAX_VALUE, 1, NOW);

        DeltaApplied event = DeltaApplied.of(command, receipt);

        assertThat(event.operation()).isEqualTo(command.operation());
        assertThat(event.receipt()).isEqualTo(receipt);
        assertThat(Digest.of(event.operation()).text()).isEqualTo(event.digest());
    }

    @Test
    void whatIsAbsentStaysAbsent() {
        ApplyDelta command = apply("op-1", 0);

        DeltaApplied event = DeltaApplied.of(command, receipt(command, 0, 1, NOW));

        assertThat(event)
                .hasAllNullFieldsOrPropertiesExcept(
                        "tenant",
                        "account",
                        "operationId",
                        "delta",
                        "balance",
                        "sequence",
                        "digest",
                        "handlerVersion",
                        "recordedAt");
        assertThat(event.operation()).isEqualTo(command.operation());
    }
}
