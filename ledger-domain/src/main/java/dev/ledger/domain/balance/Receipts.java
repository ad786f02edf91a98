package dev.ledger.domain.balance;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The latest receipts of one account, oldest first, at most {@value #RETAINED}: memory and loading time stay flat while
 * the history grows (B7). What has left is still known to the event store, see {@link RecordedOperations}.
 */
final class Receipts {

    /**
     * A retry mostly comes within seconds, and is then answered from memory. More would make a cold account slower to
     * load, less would send more retries to the store.
     */
    static final int RETAINED = 256;

    private final Map<String, Receipt> byOperationId = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Receipt> eldest) {
            return size() > RETAINED;
        }
    };

    @Nullable
    Receipt find(String operationId) {
        return byOperationId.get(operationId);
    }

    void add(Receipt receipt) {
        byOperationId.put(receipt.operationId(), receipt);
    }
}
