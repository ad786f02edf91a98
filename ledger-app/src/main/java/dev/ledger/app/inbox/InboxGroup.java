package dev.ledger.app.inbox;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;

/**
 * What the messages of one unit of work are known to have done. Read once for all of them at the first, written once for
 * all of them before the commit.
 */
final class InboxGroup {

    private static final String RESOURCE = InboxGroup.class.getName();

    private final Map<InboxKey, InboxRecord> records;
    private final List<InboxRecord> added = new ArrayList<>();
    private final List<Delivery> deliveries = new ArrayList<>();

    private InboxGroup(Map<InboxKey, InboxRecord> stored) {
        this.records = stored;
    }

    static InboxGroup of(UnitOfWork<?> unitOfWork, InboxTable inbox, DeliveryTable deliveries) {
        return unitOfWork.getOrComputeResource(RESOURCE, key -> {
            InboxGroup group = new InboxGroup(inbox.find(keysOf(unitOfWork)));
            unitOfWork.onPrepareCommit(prepared -> group.write(inbox, deliveries));
            return group;
        });
    }

    private static Set<InboxKey> keysOf(UnitOfWork<?> unitOfWork) {
        List<? extends Message<?>> messages = unitOfWork instanceof BatchingUnitOfWork<?> batch
                ? batch.getMessages()
                : List.of(unitOfWork.getMessage());
        Set<InboxKey> keys = new HashSet<>();
        for (Message<?> message : messages) {
            if (message.getPayload() instanceof HandleMessage command) {
                keys.add(command.key());
            }
        }
        return keys;
    }

    @Nullable
    InboxRecord find(InboxKey key) {
        return records.get(key);
    }

    void handled(InboxRecord handled) {
        records.put(handled.key(), handled);
        added.add(handled);
    }

    void delivered(Delivery delivery) {
        deliveries.add(delivery);
    }

    private void write(InboxTable inbox, DeliveryTable deliveryTable) {
        if (!added.isEmpty()) {
            added.sort(Comparator.comparing(InboxRecord::key, InboxKey.ORDER));
            inbox.insert(added);
        }
        if (!deliveries.isEmpty()) {
            deliveryTable.insert(deliveries);
        }
    }
}
