package dev.ledger.app.commit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.CommandCallback;
import org.axonframework.commandhandling.CommandExecutionException;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.DuplicateCommandHandlerSubscriptionException;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.GenericCommandResultMessage;
import org.axonframework.commandhandling.NoHandlerForCommandException;
import org.axonframework.commandhandling.distributed.AnnotationRoutingStrategy;
import org.axonframework.commandhandling.distributed.RoutingStrategy;
import org.axonframework.common.Registration;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.messaging.MessageDispatchInterceptor;
import org.axonframework.messaging.MessageHandler;
import org.axonframework.messaging.MessageHandlerInterceptor;
import org.springframework.context.SmartLifecycle;

/**
 * Axon's command bus with group commit: commands for one aggregate always go through one partition, in the order in which
 * they came, and each partition handles what has gathered in one transaction ({@link GroupCommit}).
 *
 * <p>In this process, an aggregate is thus touched by one thread only and needs no lock; between processes the event
 * store's unique constraints arbitrate. Callbacks run on the partition's thread and must not block it.
 */
public final class GroupCommitCommandBus implements CommandBus, SmartLifecycle {

    /** Stops after the web server has answered its last request and before the connection pool closes. */
    private static final int PHASE = 0;

    private static final long STOP_TIMEOUT_MILLIS = Duration.ofSeconds(30).toMillis();

    private final Map<String, MessageHandler<? super CommandMessage<?>>> handlers = new ConcurrentHashMap<>();
    private final List<MessageDispatchInterceptor<? super CommandMessage<?>>> dispatchInterceptors =
            new CopyOnWriteArrayList<>();
    private final List<MessageHandlerInterceptor<? super CommandMessage<?>>> handlerInterceptors =
            new CopyOnWriteArrayList<>();
    private final RoutingStrategy routing = AnnotationRoutingStrategy.defaultStrategy();
    private final List<Partition> partitions;
    private volatile boolean running;

    public GroupCommitCommandBus(
            CommitProperties properties, TransactionManager transactionManager, MeterRegistry meters) {
        GroupCommit groupCommit =
                new GroupCommit(transactionManager, handlerInterceptors, properties.recoveryTimeout(), meters);
        this.partitions = IntStream.range(0, properties.partitions())
                .mapToObj(number -> new Partition("ledger-commit-" + number, properties, groupCommit::handle))
                .toList();
        Gauge.builder(
                        "ledger.commit.waiting",
                        () -> partitions.stream().mapToInt(Partition::waiting).sum())
                .description("commands in the queues of all partitions")
                .register(meters);
    }

    @Override
    public <C> void dispatch(CommandMessage<C> command) {
        dispatch(command, (message, result) -> {});
    }

    @Override
    public <C, R> void dispatch(CommandMessage<C> command, CommandCallback<? super C, ? super R> callback) {
        CommandMessage<C> intercepted = intercept(command);
        MessageHandler<? super CommandMessage<?>> handler = handlers.get(intercepted.getCommandName());
        if (handler == null) {
            callback.onResult(
                    intercepted, new GenericCommandResultMessage<>(new NoHandlerForCommandException(intercepted)));
            return;
        }
        if (!partitionOf(intercepted).offer(new PendingCommand(intercepted, handler, callback))) {
            callback.onResult(
                    intercepted,
                    new GenericCommandResultMessage<>(new TooBusyException("the queue of this account is full")));
        }
    }

    /**
     * Handles a command within the unit of work of another one: same group, same transaction, same commit.
     *
     * @return what its handler says, true only once the surrounding unit of work has committed
     * @throws IllegalStateException if this is not the thread of the partition that the command belongs to
     */
    Object handleWithin(Object payload) {
        CommandMessage<?> command = GenericCommandMessage.asCommandMessage(payload);
        MessageHandler<? super CommandMessage<?>> handler = handlers.get(command.getCommandName());
        if (handler == null) {
            throw new NoHandlerForCommandException(command);
        }
        if (!partitionOf(command).isCurrent()) {
            throw new IllegalStateException(payload + " belongs to the unit of work of another thread");
        }
        try {
            return Objects.requireNonNull(handler.handle(command));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new CommandExecutionException(payload + " failed", e);
        }
    }

    private Partition partitionOf(CommandMessage<?> command) {
        return partitions.get(Math.floorMod(routing.getRoutingKey(command).hashCode(), partitions.size()));
    }

    @SuppressWarnings("unchecked") // an interceptor keeps the type of the command's payload
    private <C> CommandMessage<C> intercept(CommandMessage<C> command) {
        CommandMessage<C> intercepted = command;
        for (MessageDispatchInterceptor<? super CommandMessage<?>> interceptor : dispatchInterceptors) {
            intercepted = (CommandMessage<C>) interceptor.handle(intercepted);
        }
        return intercepted;
    }

    @Override
    public Registration subscribe(String commandName, MessageHandler<? super CommandMessage<?>> handler) {
        MessageHandler<? super CommandMessage<?>> existing = handlers.putIfAbsent(commandName, handler);
        if (existing != null && existing != handler) {
            throw new DuplicateCommandHandlerSubscriptionException(commandName, existing, handler);
        }
        return () -> handlers.remove(commandName, handler);
    }

    @Override
    public Registration registerDispatchInterceptor(MessageDispatchInterceptor<? super CommandMessage<?>> interceptor) {
        dispatchInterceptors.add(interceptor);
        return () -> dispatchInterceptors.remove(interceptor);
    }

    @Override
    public Registration registerHandlerInterceptor(MessageHandlerInterceptor<? super CommandMessage<?>> interceptor) {
        handlerInterceptors.add(interceptor);
        return () -> handlerInterceptors.remove(interceptor);
    }

    @Override
    public void start() {
        partitions.forEach(Partition::start);
        running = true;
    }

    /** Finishes what was accepted. */
    @Override
    public void stop() {
        try {
            for (Partition partition : partitions) {
                partition.stop(STOP_TIMEOUT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            running = false;
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
