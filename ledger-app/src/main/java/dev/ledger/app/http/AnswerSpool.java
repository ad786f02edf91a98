package dev.ledger.app.http;

import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;

/**
 * Answers on their way to a caller who may not be reading yet.
 *
 * <p>A caller may send its whole batch before it reads the first answer. If the ledger then stopped reading because its
 * answers are not taken, both would wait for ever; if it kept them in memory, memory would have no bound. So answers are
 * written by a thread of their own, and what does not fit into {@value #MEMORY_BYTES} bytes waits on disk. The disk has a
 * bound too: there whoever adds an answer waits, and a caller who takes nothing meanwhile is cut.
 *
 * <p>What can be added does not depend on other batches alone: once a caller has taken all, there is room in memory.
 */
final class AnswerSpool implements AutoCloseable {

    static final int MEMORY_BYTES = 1024 * 1024;

    /** What is written at once, and so what a caller has to take to have taken something. */
    private static final int PIECE_BYTES = 8 * 1024;

    /** Room that another batch gives back is noticed this late. */
    private static final long LOOK_AGAIN_MILLIS = 100;

    private final OutputStream out;
    private final SpoolFiles files;
    private final long takeTimeoutNanos;
    private final Runnable hangUp;
    private final Deque<byte[]> memory = new ArrayDeque<>();
    private int memoryBytes;
    private boolean finished;
    private boolean closed;
    private boolean cut;
    private @Nullable IOException broken;
    private @Nullable Thread writer;
    private boolean written;
    private volatile long takenAtNanos = System.nanoTime();

    /**
     * @param takeTimeout how long a caller may take nothing while a batch waits for that
     * @param hangUp makes a write to {@code out} fail, also one that is under way
     */
    AnswerSpool(OutputStream out, SpoolFiles files, Duration takeTimeout, Runnable hangUp) {
        this.out = out;
        this.files = files;
        this.takeTimeoutNanos = takeTimeout.toNanos();
        this.hangUp = hangUp;
    }

    void start(Executor writers) {
        try {
            writers.execute(this::write);
        } catch (RejectedExecutionException e) {
            throw new ProblemException(
                    Problem.of("too-busy", 503, "too many batches are open").retryAfter(1));
        }
    }

    /**
     * Waits for room, for as long as the caller takes answers.
     *
     * @throws IOException if the caller no longer takes answers
     */
    synchronized void add(byte[] answer) throws IOException {
        long sinceNanos = System.nanoTime();
        while (!keep(answer)) {
            awaitTaker(sinceNanos);
        }
        notifyAll();
    }

    private boolean keep(byte[] answer) throws IOException {
        if (broken != null) {
            throw new ClientAbortException("the caller has hung up", broken);
        }
        if (closed) {
            throw new ClientAbortException("the batch has ended");
        }
        if (files.isEmpty() && memoryBytes + answer.length <= MEMORY_BYTES) {
            memory.add(answer);
            memoryBytes += answer.length;
            return true;
        }
        return files.add(answer);
    }

    /** Waits for a while, unless the caller has taken nothing for too long. */
    private void awaitTaker(long sinceNanos) throws IOException {
        long now = System.nanoTime();
        long leftNanos = takeTimeoutNanos - Math.min(now - sinceNanos, now - takenAtNanos);
        if (leftNanos <= 0) {
            IOException why = new AnswersNotTakenException(Duration.ofNanos(takeTimeoutNanos));
            cut = broken == null;
            cut(why);
            throw why;
        }
        await(Math.min(LOOK_AGAIN_MILLIS, TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1));
    }

    private void await(long millis) throws IOException {
        try {
            wait(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while answers were written", e);
        }
    }

    /** Hangs up, whatever is still to be written. */
    synchronized void cut(IOException why) {
        if (broken == null) {
            broken = why;
        }
        hangUp.run();
        if (writer != null) {
            writer.interrupt();
        }
        notifyAll();
    }

    /** Whether the caller has been cut because it took no answers. */
    synchronized boolean wasCut() {
        return cut;
    }

    /** Waits until the caller has taken all answers. */
    synchronized void finish() throws IOException {
        finished = true;
        notifyAll();
        long sinceNanos = System.nanoTime();
        while (!written && broken == null) {
            awaitTaker(sinceNanos);
        }
        if (broken != null) {
            throw broken;
        }
    }

    private void write() {
        synchronized (this) {
            writer = Thread.currentThread();
        }
        try {
            for (byte[] chunk = take(); chunk != null; chunk = take()) {
                write(chunk);
                if (isDrained()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            breakOff(e);
        } catch (InterruptedException e) {
            breakOff(new IOException("interrupted while answers were written", e));
        } finally {
            synchronized (this) {
                writer = null;
                written = true;
                // An interrupt was meant for this batch, and not for the next one of this thread.
                Thread.interrupted();
                notifyAll();
            }
        }
    }

    private void write(byte[] chunk) throws IOException {
        for (int start = 0; start < chunk.length; start += PIECE_BYTES) {
            out.write(chunk, start, Math.min(PIECE_BYTES, chunk.length - start));
            takenAtNanos = System.nanoTime();
        }
    }

    private synchronized void breakOff(IOException failure) {
        if (broken == null) {
            broken = failure;
        }
    }

    private synchronized boolean isDrained() {
        return memory.isEmpty() && files.isEmpty();
    }

    /** @return null when everything has been taken and nothing more will come, or nobody takes it */
    private synchronized byte @Nullable [] take() throws IOException, InterruptedException {
        while (memory.isEmpty() && files.isEmpty() && !finished && broken == null) {
            wait();
        }
        if (broken != null) {
            return null;
        }
        byte[] first = memory.poll();
        if (first != null) {
            memoryBytes -= first.length;
        } else if (!files.isEmpty()) {
            first = files.take();
        }
        notifyAll();
        return first;
    }

    /**
     * Ends the writer even if the batch broke off, and removes the files. What has been answered is still written, for as
     * long as the caller takes it.
     */
    @Override
    public synchronized void close() throws IOException {
        try {
            if (broken == null) {
                finish();
            }
        } finally {
            closed = true;
            boolean interrupted = false;
            while (!written) {
                // Nobody else may use the answer's stream before the writer has left it.
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                    cut(new IOException("interrupted while answers were written", e));
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            files.close();
        }
    }
}
