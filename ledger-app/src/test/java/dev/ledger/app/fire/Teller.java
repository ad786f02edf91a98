package dev.ledger.app.fire;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.ledger.app.commit.GroupCommitCommandBus;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.domain.balance.AccountKey;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.Outcome;
import dev.ledger.domain.balance.Receipt;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;

/** Sends operations of one tenant to one instance past HTTP, many at once if need be. */
final class Teller {

    static final String TENANT = Key.ALPHA.tenant();

    private static final int PATIENCE_SECONDS = 60;

    private final RunningLedger ledger;

    Teller(RunningLedger ledger) {
        this.ledger = ledger;
    }

    /** @param delta of the balance of the account */
    record Order(String account, String operationId, long delta) {

        ApplyDelta command() {
            return new ApplyDelta(new Operation(
                    new AccountKey(TENANT, account),
                    operationId,
                    delta,
                    null,
                    null,
                    null,
                    Collections.emptySortedMap()));
        }
    }

    CompletableFuture<Outcome> send(Order order) {
        return ledger.bean(CommandGateway.class).send(order.command());
    }

    /** Waits for the commit; a failed command's failure is thrown. */
    Outcome apply(String account, String operationId, long delta) {
        return await(send(new Order(account, operationId, delta)));
    }

    /**
     * One group: a command ahead of them holds the partition's thread until all of them wait behind it. For a ledger with
     * one partition.
     */
    List<CompletableFuture<Outcome>> together(List<Order> orders) {
        return together(orders, () -> {});
    }

    /** @param meanwhile runs while they wait, when the one ahead has committed */
    List<CompletableFuture<Outcome>> together(List<Order> orders, Runnable meanwhile) {
        CountDownLatch holding = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        ledger.bean(GroupCommitCommandBus.class)
                .dispatch(
                        GenericCommandMessage.asCommandMessage(
                                new Order("the-one-ahead", "refused", Long.MIN_VALUE).command()),
                        (command, result) -> {
                            holding.countDown();
                            awaitLatch(release);
                        });
        awaitLatch(holding);
        List<CompletableFuture<Outcome>> outcomes =
                orders.stream().map(this::send).toList();
        meanwhile.run();
        release.countDown();
        return outcomes;
    }

    static Outcome await(CompletableFuture<Outcome> outcome) {
        try {
            return outcome.get(PATIENCE_SECONDS, SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException("no answer", e);
        }
    }

    /** @return null if the command did not fail */
    static Throwable failureOf(CompletableFuture<Outcome> outcome) {
        return outcome.handle((result, failure) -> failure)
                .orTimeout(PATIENCE_SECONDS, SECONDS)
                .join();
    }

    /** Of an operation that took effect, now or before. */
    static Receipt receipt(Outcome outcome) {
        if (outcome instanceof Outcome.Applied applied) {
            return applied.receipt();
        }
        if (outcome instanceof Outcome.Replayed replayed) {
            return replayed.receipt();
        }
        throw new AssertionError("no receipt but " + outcome);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE_SECONDS, SECONDS)) {
                throw new IllegalStateException("nobody came");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
