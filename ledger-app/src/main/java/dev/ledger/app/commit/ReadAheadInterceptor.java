package dev.ledger.app.commit;

import dev.ledger.app.store.LedgerEventStorageEngine;
import dev.ledger.app.store.LedgerEventStore;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.Outcome;
import dev.ledger.domain.balance.Receipt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.common.caching.Cache;
import org.axonframework.messaging.InterceptorChain;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.MessageHandlerInterceptor;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;

/**
 * At the first command of a group, reads in one round trip what the whole group is going to need: the last events of the
 * accounts that are not cached, and, where duplicates are to be expected, the receipts that the store already holds.
 *
 * <p>Receipts are looked up when a group is tried again, and for a while after such a look-up found one: otherwise the
 * unique constraint finds the rare late duplicate at no cost to the others. A receipt that is found here is committed, so
 * it answers before today's balance is asked (B2).
 *
 * <p>What this group has applied is kept beside them: the same id on another account of the same group is a conflict, if
 * the group commits, and need not be found out by a constraint that would undo the group.
 */
public final class ReadAheadInterceptor implements MessageHandlerInterceptor<CommandMessage<?>> {

    private static final String LOOK_UP = ReadAheadInterceptor.class.getName() + ".lookUp";
    private static final String RECEIPTS = ReadAheadInterceptor.class.getName() + ".receipts";

    /** Late duplicates come in waves: a queue that is replayed, a client that sends yesterday's file again. */
    private static final int GROUPS_AFTER_A_LATE_DUPLICATE = 64;

    private final LedgerEventStorageEngine store;
    private final Cache accounts;
    private final AtomicInteger groupsToLookUp = new AtomicInteger();

    public ReadAheadInterceptor(LedgerEventStorageEngine store, Cache accounts) {
        this.store = store;
        this.accounts = accounts;
    }

    /** Makes this unit of work look for stored receipts before it decides anything. */
    static void lookUpReceipts(UnitOfWork<?> unitOfWork) {
        unitOfWork.resources().put(LOOK_UP, true);
    }

    static boolean looksUpReceipts(UnitOfWork<?> unitOfWork) {
        return unitOfWork.getOrDefaultResource(LOOK_UP, false);
    }

    @Override
    public Object handle(UnitOfWork<? extends CommandMessage<?>> unitOfWork, InterceptorChain chain) throws Exception {
        Map<String, Receipt> receipts = unitOfWork.getResource(RECEIPTS);
        if (receipts == null) {
            receipts = readAhead(unitOfWork, payloadsOf(unitOfWork));
            unitOfWork.resources().put(RECEIPTS, receipts);
        }
        if (!(unitOfWork.getMessage().getPayload() instanceof ApplyDelta command)) {
            return chain.proceed();
        }
        Receipt receipt = receipts.get(command.eventId());
        if (receipt != null) {
            return receipt.answer(command);
        }
        Object outcome = chain.proceed();
        if (outcome instanceof Outcome.Applied applied) {
            receipts.put(command.eventId(), applied.receipt());
        }
        return outcome;
    }

    private Map<String, Receipt> readAhead(UnitOfWork<?> unitOfWork, List<?> payloads) {
        Set<String> cold = new LinkedHashSet<>();
        List<String> eventIds = new ArrayList<>();
        for (Object payload : payloads) {
            if (payload instanceof ApplyDelta command) {
                cold.add(command.aggregateIdentifier());
                eventIds.add(command.eventId());
            } else if (payload instanceof ChangesAccount command) {
                command.aggregateIdentifier().ifPresent(cold::add);
            }
        }
        cold.removeIf(accounts::containsKey);
        if (!cold.isEmpty()) {
            LedgerEventStore.readAhead(unitOfWork, store.readEvents(cold));
        }
        if (eventIds.isEmpty() || !looksUpReceipts(unitOfWork) && groupsToLookUp.get() <= 0) {
            return new HashMap<>();
        }
        Map<String, Receipt> receipts = store.findReceipts(eventIds);
        if (receipts.isEmpty()) {
            groupsToLookUp.decrementAndGet();
        } else {
            groupsToLookUp.set(GROUPS_AFTER_A_LATE_DUPLICATE);
        }
        return receipts;
    }

    private static List<?> payloadsOf(UnitOfWork<? extends CommandMessage<?>> unitOfWork) {
        List<? extends Message<?>> messages = unitOfWork instanceof BatchingUnitOfWork<?> group
                ? group.getMessages()
                : List.of(unitOfWork.getMessage());
        return messages.stream().map(Message::getPayload).toList();
    }
}
