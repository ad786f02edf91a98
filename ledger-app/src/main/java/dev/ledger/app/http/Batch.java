package dev.ledger.app.http;

import dev.ledger.app.commit.Correlation;
import dev.ledger.app.commit.OutcomeUnknownException;
import dev.ledger.app.commit.TooBusyException;
import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.InvalidOperationException;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.Outcome;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way: reads ahead within a window, answers in order, each line after its commit. A broken line is a
 * rejected line, never a broken stream. A full queue makes the batch wait; it does not fail lines that could be applied.
 *
 * <p>The reading thread answers what has been decided whenever it has read a line. While it waits for the caller's next
 * bytes, another one does: a caller may send the next line only after it has seen the last one's answer.
 */
final class Batch {

    private static final long FULL_QUEUE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final String tenant;
    private final @Nullable String correlationId;
    private final CommandGateway commands;
    private final HttpProperties properties;
    private final AnswerSpool answers;
    private final Executor background;

    /** Guarded by this, as is {@link #answeringInBackground}. */
    private final Deque<Pending> window = new ArrayDeque<>();

    private boolean answeringInBackground;
    private long lines;

    /**
     * @param correlationId of the story that all of its operations belong to
     * @param background runs at most one task of this batch at a time
     */
    Batch(
            String tenant,
            @Nullable String correlationId,
            CommandGateway commands,
            HttpProperties properties,
            AnswerSpool answers,
            Executor background) {
        this.tenant = tenant;
        this.correlationId = correlationId;
        this.commands = commands;
        this.properties = properties;
        this.answers = answers;
        this.background = background;
    }

    /** How many have been read; for the reading thread. */
    long lines() {
        return lines;
    }

    private record Pending(long line, @Nullable Operation operation, CompletableFuture<Outcome> outcome) {}

    void apply(LineReader reader) throws IOException {
        for (LineReader.Line line = next(reader); line != null; line = next(reader)) {
            Pending pending = dispatch(line);
            synchronized (this) {
                window.add(pending);
                answerDecided();
                if (window.size() >= properties.batchWindow()) {
                    answerFirst();
                }
            }
        }
        synchronized (this) {
            while (!window.isEmpty()) {
                answerFirst();
            }
        }
    }

    private LineReader.@Nullable Line next(LineReader reader) throws IOException {
        if (!reader.hasBuffered()) {
            answerInBackground();
        }
        return reader.next();
    }

    /** Follows the first line that is not yet decided, until there is none. */
    private synchronized void answerInBackground() {
        Pending first = window.peek();
        if (answeringInBackground || first == null) {
            return;
        }
        answeringInBackground = true;
        first.outcome().whenCompleteAsync((outcome, failure) -> continueInBackground(), background);
    }

    private synchronized void continueInBackground() {
        answeringInBackground = false;
        try {
            answerDecided();
        } catch (IOException e) {
            // The caller has hung up. The reading thread finds that out for itself, and ends the batch.
            return;
        }
        answerInBackground();
    }

    private synchronized void answerDecided() throws IOException {
        for (Pending first = window.peek(); first != null && first.outcome().isDone(); first = window.peek()) {
            answerFirst();
        }
    }

    private Pending dispatch(LineReader.Line line) throws IOException {
        long number = ++lines;
        if (line.tooLong()) {
            return new Pending(
                    number,
                    null,
                    CompletableFuture.failedFuture(new ProblemException(Problem.payloadTooLarge(
                            "a line", properties.maxLine().toBytes()))));
        }
        Operation operation;
        try {
            operation = OperationReader.readLine(line.bytes(), tenant);
        } catch (InvalidOperationException e) {
            return new Pending(number, null, CompletableFuture.failedFuture(e));
        }
        return new Pending(number, operation, send(new ApplyDelta(operation)));
    }

    /** Waits for room in the queue, for as long as a caller is kept waiting at all. */
    private CompletableFuture<Outcome> send(ApplyDelta command) throws IOException {
        long giveUpAt = System.nanoTime() + properties.answerTimeout().toNanos();
        CompletableFuture<Outcome> outcome = commands.send(Correlation.message(command, correlationId));
        while (isTooBusy(outcome) && System.nanoTime() - giveUpAt < 0) {
            if (!answerFirst()) {
                LockSupport.parkNanos(FULL_QUEUE_PAUSE_NANOS);
            }
            outcome = commands.send(Correlation.message(command, correlationId));
        }
        return outcome;
    }

    private static boolean isTooBusy(CompletableFuture<Outcome> outcome) {
        return outcome.isCompletedExceptionally()
                && outcome.handle((value, failure) -> failure instanceof TooBusyException)
                        .getNow(false);
    }

    /** @return false if no line waits for an answer */
    private synchronized boolean answerFirst() throws IOException {
        Pending first = window.poll();
        if (first == null) {
            return false;
        }
        answers.add(answer(first));
        return true;
    }

    private byte[] answer(Pending pending) {
        try {
            Outcome outcome = pending.outcome().get(properties.answerTimeout().toMillis(), TimeUnit.MILLISECONDS);
            return AnswerLine.of(pending.line(), pending.operation(), outcome);
        } catch (ExecutionException e) {
            return AnswerLine.of(pending.line(), Problems.of(e));
        } catch (TimeoutException | InterruptedException e) {
            return AnswerLine.of(pending.line(), Problems.of(new OutcomeUnknownException(e)));
        }
    }
}
