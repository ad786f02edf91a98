package dev.ledger.app.commit;

import org.axonframework.commandhandling.CommandCallback;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.CommandResultMessage;
import org.axonframework.commandhandling.GenericCommandResultMessage;
import org.axonframework.messaging.MessageHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command that waits for its answer. Only its partition's thread touches it. */
final class PendingCommand {

    private static final Logger log = LoggerFactory.getLogger(PendingCommand.class);

    private final CommandMessage<?> message;
    private final MessageHandler<? super CommandMessage<?>> handler;
    private final CommandCallback<Object, Object> callback;
    private @Nullable Object outcome;
    private boolean answered;

    @SuppressWarnings("unchecked") // a callback takes whatever its command's handler returns
    PendingCommand(
            CommandMessage<?> message,
            MessageHandler<? super CommandMessage<?>> handler,
            CommandCallback<?, ?> callback) {
        this.message = message;
        this.handler = handler;
        this.callback = (CommandCallback<Object, Object>) callback;
    }

    CommandMessage<?> message() {
        return message;
    }

    MessageHandler<? super CommandMessage<?>> handler() {
        return handler;
    }

    /** Decided, but not true before the commit. */
    void decided(@Nullable Object outcome) {
        this.outcome = outcome;
    }

    void committed() {
        answer(new GenericCommandResultMessage<>(outcome));
    }

    void failed(Throwable failure) {
        answer(new GenericCommandResultMessage<>(failure));
    }

    /** Once. A callback that fails is its owner's fault and must not take the partition's thread with it. */
    @SuppressWarnings("unchecked")
    private void answer(CommandResultMessage<?> result) {
        if (answered) {
            return;
        }
        answered = true;
        try {
            callback.onResult((CommandMessage<Object>) message, (CommandResultMessage<Object>) result);
        } catch (RuntimeException e) {
            log.error("the callback of {} failed", message.getPayload(), e);
        }
    }
}
