package dev.ledger.app.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Splits a stream at its line feeds and never holds more of a line than its limit. */
final class LineReader {

    private final InputStream in;
    private final int maxLineBytes;
    private final byte[] buffer = new byte[16 * 1024];
    private int position;
    private int end;

    LineReader(InputStream in, int maxLineBytes) {
        this.in = in;
        this.maxLineBytes = maxLineBytes;
    }

    /**
     * @param bytes without the line's end; what there was of it if it is too long
     */
    record Line(byte[] bytes, boolean tooLong) {}

    /** @return null at the end; an end of file right behind a line feed is no further line */
    @Nullable
    Line next() throws IOException {
        ByteArrayOutputStream line = null;
        while (true) {
            if (position == end && !fill()) {
                return line == null ? null : line(line.toByteArray());
            }
            if (line == null) {
                line = new ByteArrayOutputStream(256);
            }
            int feed = indexOfLineFeed();
            int stop = feed < 0 ? end : feed;
            // Two more than the limit: a carriage return, and what shows that the line is too long.
            int room = maxLineBytes + 2 - line.size();
            line.write(buffer, position, Math.min(stop - position, room));
            position = feed < 0 ? end : feed + 1;
            if (feed >= 0) {
                return line(line.toByteArray());
            }
        }
    }

    private Line line(byte[] bytes) {
        boolean endsInReturn = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
        byte[] line = endsInReturn && bytes.length <= maxLineBytes + 1 ? Arrays.copyOf(bytes, bytes.length - 1) : bytes;
        return new Line(line, line.length > maxLineBytes);
    }

    /** Whether the next byte is here already. */
    boolean hasBuffered() {
        return position < end;
    }

    private boolean fill() throws IOException {
        position = 0;
        end = Math.max(0, in.read(buffer));
        return end > 0;
    }

    private int indexOfLineFeed() {
        for (int i = position; i < end; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }
}
