package dev.ledger.domain.balance;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;
import static org.axonframework.modelling.command.AggregateLifecycle.getVersion;

import java.time.Clock;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.AggregateRoot;
import org.axonframework.modelling.command.CreationPolicy;

/** The Axon shell around {@link Balance#decide}: finds the receipt, asks the rule, applies the event. */
@AggregateRoot(type = "balance")
public class BalanceAggregate {

    /** How many of an account's latest receipts are kept in memory, and so how many events restore it. */
    public static final int RETAINED_RECEIPTS = Receipts.RETAINED;

    @AggregateIdentifier
    private String aggregateIdentifier;

    private Balance balance = Balance.ZERO;
    private final Receipts receipts = new Receipts();

    /** For Axon, which then replays the events; the first of them names the account. */
    @SuppressWarnings("NullAway.Init")
    protected BalanceAggregate() {}

    /** An account that has no operation yet. */
    public BalanceAggregate(String aggregateIdentifier) {
        this.aggregateIdentifier = aggregateIdentifier;
    }

    /**
     * @return what became of the command; it is true only once the surrounding unit of work has committed
     */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    public Outcome handle(ApplyDelta command, RecordedOperations recorded, Clock clock) {
        Balance current = balance.atSequence(storedSequence());
        Receipt known = receipts.find(command.operation().operationId());
        Outcome outcome = current.decide(command, known, clock.instant());
        if (outcome instanceof Outcome.Applied applied) {
            apply(applied.event());
            return outcome;
        }
        if (known != null) {
            return outcome;
        }
        // A refusal appends nothing, so no constraint of the store can contradict it. It is only true if the store
        // knows no receipt for this id (a late retry of a debit, B2) and nothing newer of this account (B6).
        return recorded.find(command, current.sequence())
                .map(receipt -> receipt.answer(command))
                .orElse(outcome);
    }

    @EventSourcingHandler
    void on(DeltaApplied event) {
        aggregateIdentifier = new AccountKey(event.tenant(), event.account()).aggregateIdentifier();
        balance = balance.after(event);
        receipts.add(event.receipt());
    }

    /** Axon counts stored events from 0; sequences count operations from 1. */
    private static long storedSequence() {
        Long version = getVersion();
        return version == null ? 0 : version + 1;
    }
}
