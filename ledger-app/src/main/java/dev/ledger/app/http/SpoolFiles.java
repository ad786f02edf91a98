package dev.ledger.app.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The answers of one batch that wait on disk, first in, first out, in temporary files of a few megabytes. A file is
 * deleted as soon as it has been read, which gives its space back; until then all of it counts. Not thread-safe.
 */
final class SpoolFiles implements AutoCloseable {

    private static final long MAX_FILE_BYTES = 4L * 1024 * 1024;
    private static final int CHUNK_BYTES = 64 * 1024;

    private final Path folder;
    private final SpoolSpace space;
    private final long maxBytes;
    private final long fileBytes;
    private final Deque<SpoolFile> files = new ArrayDeque<>();
    private long usedBytes;

    /**
     * @param space shared with the other batches
     * @param maxBytes of this batch
     */
    SpoolFiles(Path folder, SpoolSpace space, long maxBytes) {
        this.folder = folder;
        this.space = space;
        this.maxBytes = maxBytes;
        // At its bound a batch goes on as soon as an eighth of it has been taken.
        this.fileBytes = Math.min(MAX_FILE_BYTES, maxBytes / 8);
    }

    private static final class SpoolFile {

        private final FileChannel channel;
        private long start;
        private long end;

        /** Of its owner only; where a file may lose its name while it is open it has none, and a kill leaves none behind. */
        SpoolFile(Path folder) throws IOException {
            Path path = Files.createTempFile(folder, "ledger-answers", null);
            channel = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        }
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    /** @return false if there is no room for it, of this batch or of all */
    boolean add(byte[] answer) throws IOException {
        if (usedBytes + answer.length > maxBytes || !space.take(answer.length)) {
            return false;
        }
        boolean written = false;
        try {
            append(answer);
            written = true;
        } finally {
            if (!written) {
                space.giveBack(answer.length);
            }
        }
        usedBytes += answer.length;
        return true;
    }

    private void append(byte[] answer) throws IOException {
        SpoolFile last = files.peekLast();
        if (last == null || last.end >= fileBytes) {
            last = new SpoolFile(folder);
            files.addLast(last);
        }
        ByteBuffer bytes = ByteBuffer.wrap(answer);
        while (bytes.hasRemaining()) {
            last.channel.write(bytes, last.end + bytes.position());
        }
        last.end += answer.length;
    }

    /** The next bytes; there must be some. */
    byte[] take() throws IOException {
        SpoolFile first = files.getFirst();
        ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, first.end - first.start));
        while (chunk.hasRemaining()) {
            if (first.channel.read(chunk, first.start + chunk.position()) < 0) {
                throw new IOException("a file of answers has been cut short");
            }
        }
        first.start += chunk.capacity();
        if (first.start == first.end) {
            remove();
        }
        return chunk.array();
    }

    private void remove() throws IOException {
        SpoolFile first = files.removeFirst();
        usedBytes -= first.end;
        try {
            first.channel.close();
        } finally {
            space.giveBack(first.end);
        }
    }

    @Override
    public void close() throws IOException {
        while (!files.isEmpty()) {
            remove();
        }
    }
}
