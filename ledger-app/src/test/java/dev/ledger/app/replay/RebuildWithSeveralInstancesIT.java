package dev.ledger.app.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.store.Database;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.app.testing.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;

class RebuildWithSeveralInstancesIT {

    @Test
    void theOtherInstanceLetsGoAndNobodySeesHalfOfIt() { // K13
        try (TestDatabase database = TestDatabase.create(Database.POSTGRESQL);
                RunningLedger one = RunningLedger.start(database);
                RunningLedger other = RunningLedger.start(database)) {
            Rebuild rebuild = new Rebuild(one);
            rebuild.someHistory("shared", 10, 20);
            List<String> before = rebuild.readModels();

            rebuild.rebuild();
            new Rebuild(other).rebuild();

            assertThat(rebuild.readModels()).isEqualTo(before).hasSize(210);
        }
    }
}
