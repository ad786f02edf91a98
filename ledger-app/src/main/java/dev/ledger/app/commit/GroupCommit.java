package dev.ledger.app.commit;

import dev.ledger.app.store.ResourceFailures;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.ListIterator;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.messaging.DefaultInterceptorChain;
import org.axonframework.messaging.MessageHandlerInterceptor;
import org.axonframework.messaging.ResultMessage;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.RollbackConfigurationType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Handles a group of commands in one unit of work and one commit, and gives each its own outcome.
 *
 * <p>What commits together: the events of the whole group, and what its message handlers wrote. What arbitrates a race: the
 * unique constraints of the event store and of the inbox. A rejection is a result and rolls nothing back. If the commit
 * fails, the whole group is undone, caches included, and tried again; a command whose handler failed is cut out, one that
 * cannot be committed is found by halving, so that it fails alone and the innocent are applied once (K10). Nobody is
 * answered before a commit that holds his outcome.
 */
final class GroupCommit {

    private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);

    /** Enough for two instances that fight over one account; each try reads what the other has stored. */
    private static final int MAX_TRIES_WHEN_OVERTAKEN = 20;

    private static final long PAUSE_WHEN_UNREACHABLE_MILLIS = 100;

    private final TransactionManager transactionManager;
    private final List<MessageHandlerInterceptor<? super CommandMessage<?>>> interceptors;
    private final Duration recoveryTimeout;
    private final Timer commits;
    private final DistributionSummary groupSizes;
    private final Counter overtaken;

    GroupCommit(
            TransactionManager transactionManager,
            List<MessageHandlerInterceptor<? super CommandMessage<?>>> interceptors,
            Duration recoveryTimeout,
            MeterRegistry meters) {
        this.transactionManager = transactionManager;
        this.interceptors = interceptors;
        this.recoveryTimeout = recoveryTimeout;
        this.commits = Timer.builder("ledger.commit.time")
                .description("from the first command of a group to its commit")
                .register(meters);
        this.groupSizes = DistributionSummary.builder("ledger.commit.group")
                .description("commands in one commit")
                .register(meters);
        this.overtaken = Counter.builder("ledger.commit.overtaken")
                .description("groups that another delivery or instance was ahead of")
                .register(meters);
    }

    /** Returns when every command of the group has been answered. */
    void handle(List<PendingCommand> group) {
        handle(group, false);
    }

    /**
     * @param uncertain whether an earlier commit that held these commands may have got through: they are looked up, and
     *     nobody is told that nothing was applied
     */
    private void handle(List<PendingCommand> group, boolean uncertain) {
        Failure failure;
        boolean mayHaveCommitted = uncertain;
        // A commit that was lost may have taken long to be noticed; the time to look for it starts then.
        OptionalLong giveUpAt = OptionalLong.empty();
        for (int tries = 1; ; tries++) {
            failure = attempt(group, mayHaveCommitted || tries > 1);
            if (failure == null) {
                group.forEach(PendingCommand::committed);
                return;
            }
            FailureKind kind = FailureKind.of(failure.cause());
            if (kind == FailureKind.OVERTAKEN && tries < MAX_TRIES_WHEN_OVERTAKEN) {
                overtaken.increment();
                pause(tries < 3 ? 0 : ThreadLocalRandom.current().nextLong(2L * tries));
            } else if (kind == FailureKind.NOT_UNIQUE && tries == 1) {
                overtaken.increment();
            } else if (kind == FailureKind.UNREACHABLE || kind == FailureKind.NOT_BEGUN) {
                // A commit may have got through. The next attempt looks the operations up before it decides (C6).
                mayHaveCommitted |= kind == FailureKind.UNREACHABLE;
                if (giveUpAt.isEmpty()) {
                    giveUpAt = OptionalLong.of(System.nanoTime() + recoveryTimeout.toNanos());
                } else if (System.nanoTime() - giveUpAt.getAsLong() > 0) {
                    giveUp(group, mayHaveCommitted, failure.cause());
                    return;
                }
                pause(PAUSE_WHEN_UNREACHABLE_MILLIS);
            } else if (kind == FailureKind.EXHAUSTED) {
                giveUp(group, mayHaveCommitted, failure.cause());
                return;
            } else {
                break;
            }
        }
        isolate(group, failure, mayHaveCommitted);
    }

    /**
     * Why a group did not commit.
     *
     * @param culprit the position of the command whose handler failed, -1 if it was the commit
     */
    private record Failure(Throwable cause, int culprit) {}

    private void isolate(List<PendingCommand> group, Failure failure, boolean uncertain) {
        int size = group.size();
        if (size == 1) {
            fail(group.get(0), failure.cause(), uncertain);
        } else if (FailureKind.of(failure.cause()) == FailureKind.IN_PROGRESS) {
            oneByOne(group, failure.cause(), uncertain);
        } else if (failure.culprit() >= 0) {
            handleIfAny(group.subList(0, failure.culprit()), uncertain);
            handle(List.of(group.get(failure.culprit())), uncertain);
            handleIfAny(group.subList(failure.culprit() + 1, size), uncertain);
        } else {
            handle(group.subList(0, size / 2), uncertain);
            handle(group.subList(size / 2, size), uncertain);
        }
    }

    private void handleIfAny(List<PendingCommand> group, boolean uncertain) {
        if (!group.isEmpty()) {
            handle(group, uncertain);
        }
    }

    /**
     * Halving would wait for the same lock again at every step. Each command waits for its own lock at most; those that
     * cannot be tried in bounded time are sent back, so that one lock does not hold up a partition.
     */
    private void oneByOne(List<PendingCommand> group, Throwable failure, boolean uncertain) {
        long giveUpAt = System.nanoTime() + recoveryTimeout.toNanos();
        for (PendingCommand command : group) {
            if (System.nanoTime() - giveUpAt < 0) {
                handle(List.of(command), uncertain);
            } else {
                sendBack(command, "others of this account wait for a lock", uncertain, failure);
            }
        }
    }

    /** @return null if the group has committed */
    private @Nullable Failure attempt(List<PendingCommand> group, boolean lookUpFirst) {
        Timer.Sample sample = Timer.start();
        GroupUnitOfWork unitOfWork = new GroupUnitOfWork(
                group.stream().<CommandMessage<?>>map(PendingCommand::message).toList());
        try {
            if (TransactionSynchronizationManager.isActualTransactionActive()) {
                throw new IllegalStateException(
                        "an earlier transaction is still open: joining it would commit nothing");
            }
            unitOfWork.start();
            unitOfWork.attachTransaction(transactionManager);
            if (lookUpFirst) {
                ReadAheadInterceptor.lookUpReceipts(unitOfWork);
            }
            ListIterator<PendingCommand> next = group.listIterator();
            AtomicInteger culprit = new AtomicInteger(-1);
            ResultMessage<?> result = unitOfWork.executeWithResult(
                    () -> {
                        culprit.set(next.nextIndex());
                        PendingCommand command = next.next();
                        Object outcome =
                                new DefaultInterceptorChain<>(unitOfWork, interceptors, command.handler()).proceed();
                        command.decided(outcome);
                        culprit.set(-1);
                        return outcome;
                    },
                    RollbackConfigurationType.ANY_THROWABLE);
            if (result.isExceptional()) {
                return new Failure(result.exceptionResult(), culprit.get());
            }
        } catch (Exception | Error e) {
            if (CurrentUnitOfWork.isStarted() && CurrentUnitOfWork.get() == unitOfWork) {
                unitOfWork.rollback(e);
            }
            return new Failure(e, -1);
        }
        sample.stop(commits);
        groupSizes.record(group.size());
        return null;
    }

    private static void fail(PendingCommand command, Throwable failure, boolean uncertain) {
        switch (FailureKind.of(failure)) {
            case REFUSED -> command.failed(failure);
            case IN_PROGRESS -> command.failed(new OperationInProgressException(failure));
            case OVERTAKEN -> sendBack(command, "others were ahead on this account at each try", uncertain, failure);
            default -> {
                log.error("{} failed", command.message().getPayload(), failure);
                command.failed(failure);
            }
        }
    }

    private static void giveUp(List<PendingCommand> group, boolean uncertain, Throwable failure) {
        boolean exhausted = ResourceFailures.isOne(failure);
        if (exhausted) {
            // Without the stack: this comes with each group until there is room again.
            log.error(
                    "{} commands were not stored: {}",
                    group.size(),
                    NestedExceptionUtils.getMostSpecificCause(failure).toString());
        } else {
            log.error("{} commands found no database to commit to", group.size(), failure);
        }
        for (PendingCommand command : group) {
            if (exhausted && !uncertain) {
                command.failed(new StorageUnavailableException(failure));
            } else {
                sendBack(command, "the database cannot be reached", uncertain, failure);
            }
        }
    }

    /** Too busy says that nothing was applied, as storage unavailable does; it must be known. */
    private static void sendBack(PendingCommand command, String why, boolean uncertain, Throwable failure) {
        command.failed(uncertain ? new OutcomeUnknownException(failure) : new TooBusyException(why));
    }

    private static void pause(long millis) {
        if (millis > 0) {
            LockSupport.parkNanos(millis * 1_000_000);
        }
    }
}
