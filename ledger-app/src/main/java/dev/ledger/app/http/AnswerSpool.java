package dev.ledger.app.http;

import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;

/**
 * Answers on their way to a caller who may not be reading yet.
 *
 * <p>A caller may send its whole batch before it reads the first answer. If the ledger then stopped reading because its
 * answers are not taken, both would wait for ever; if it kept them in memory, memory would have no bound. So answers are
 * written by a thread of their own, and what does not fit into {@value #MEMORY_BYTES} bytes waits in a temporary file.
 */
final class AnswerSpool implements AutoCloseable {

    static final int MEMORY_BYTES = 1024 * 1024;

    private static final int CHUNK_BYTES = 64 * 1024;

    private final OutputStream out;
    private final Deque<byte[]> memory = new ArrayDeque<>();
    private int memoryBytes;
    private @Nullable FileChannel file;
    private long fileStart;
    private long fileEnd;
    private boolean finished;
    private @Nullable IOException broken;
    private @Nullable Future<?> writer;

    AnswerSpool(OutputStream out) {
        this.out = out;
    }

    void start(ExecutorService writers) {
        try {
            writer = writers.submit(this::write);
        } catch (RejectedExecutionException e) {
            throw new ProblemException(
                    Problem.of("too-busy", 503, "too many batches are open").retryAfter(1));
        }
    }

    /** @throws IOException if the caller no longer takes answers */
    synchronized void add(byte[] answer) throws IOException {
        if (broken != null) {
            throw new ClientAbortException("the caller has hung up", broken);
        }
        if (fileStart == fileEnd && memoryBytes + answer.length <= MEMORY_BYTES) {
            memory.add(answer);
            memoryBytes += answer.length;
        } else {
            append(answer);
        }
        notifyAll();
    }

    private void append(byte[] answer) throws IOException {
        if (file == null) {
            Path path = Files.createTempFile("ledger-answers", null);
            file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        }
        ByteBuffer bytes = ByteBuffer.wrap(answer);
        while (bytes.hasRemaining()) {
            fileEnd += file.write(bytes, fileEnd);
        }
    }

    /** Waits until the caller has taken all answers. */
    void finish() throws IOException {
        synchronized (this) {
            finished = true;
            notifyAll();
        }
        try {
            if (writer != null) {
                writer.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("the answers could not be written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while answers were written", e);
        }
        synchronized (this) {
            if (broken != null) {
                throw broken;
            }
        }
    }

    private void write() {
        try {
            for (byte[] chunk = take(); chunk != null; chunk = take()) {
                out.write(chunk);
                if (isDrained()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            synchronized (this) {
                broken = e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isDrained() {
        return memory.isEmpty() && fileStart == fileEnd;
    }

    /** @return null when everything has been taken and nothing more will come */
    private synchronized byte @Nullable [] take() throws IOException, InterruptedException {
        while (memory.isEmpty() && fileStart == fileEnd && !finished) {
            wait();
        }
        byte[] first = memory.poll();
        if (first != null) {
            memoryBytes -= first.length;
            return first;
        }
        return fileStart < fileEnd ? fromFile() : null;
    }

    private byte[] fromFile() throws IOException {
        if (file == null) {
            throw new IllegalStateException("there are answers in a file that was never opened");
        }
        ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, fileEnd - fileStart));
        while (chunk.hasRemaining()) {
            fileStart += file.read(chunk, fileStart);
        }
        if (fileStart == fileEnd) {
            file.truncate(0);
            fileStart = 0;
            fileEnd = 0;
        }
        return chunk.array();
    }

    /** Ends the writer even if the batch broke off, and removes the file. */
    @Override
    public void close() throws IOException {
        try {
            synchronized (this) {
                finished = true;
                notifyAll();
            }
            if (writer != null && !writer.isDone()) {
                writer.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("the answers could not be written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            FileChannel opened;
            synchronized (this) {
                opened = file;
            }
            if (opened != null) {
                opened.close();
            }
        }
    }
}
