package dev.ledger.app.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import org.junit.jupiter.api.Test;

/** Also the tracking processors' turn: they are rebuilt in the same way. */
@OnBothDatabases(properties = "ledger.projections.processor=tracking")
class RebuildOfAnEmptyLedgerIT {

    private final Rebuild rebuild;

    RebuildOfAnEmptyLedgerIT(RunningLedger ledger) {
        rebuild = new Rebuild(ledger);
    }

    @Test
    void anEmptyLedgerIsRebuiltAndThenFilledAndRebuiltAgain() { // K12
        rebuild.rebuild();
        assertThat(rebuild.readModels()).isEmpty();

        rebuild.someHistory("first", 5, 10);
        var before = rebuild.readModels();
        rebuild.rebuild();

        assertThat(rebuild.readModels()).isEqualTo(before).hasSize(55);
    }
}
