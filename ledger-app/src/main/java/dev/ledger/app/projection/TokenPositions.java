package dev.ledger.app.projection;

import java.util.List;
import org.axonframework.eventhandling.ReplayToken;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.WrappedToken;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.SimpleSerializedObject;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** How far each segment of a processor has come, whichever instance works on it. Reads the tokens without claiming them. */
public final class TokenPositions {

    private final JdbcTemplate jdbc;
    private final Serializer serializer;

    TokenPositions(JdbcTemplate jdbc, Serializer serializer) {
        this.jdbc = jdbc;
        this.serializer = serializer;
    }

    /**
     * @param position the global index of the last event that was handled, -1 before the first
     * @param resetAt where the processor was when it was reset, -1 if it never was or has got past it
     * @param owner the instance that works on it, or null
     */
    public record Segment(
            int number,
            long position,
            long resetAt,
            @Nullable String owner) {

        public boolean isReplaying() {
            return position < resetAt;
        }
    }

    public List<Segment> of(String processor) {
        return jdbc.query(
                "select segment, token, token_type, owner from token_entry where processor_name = ? order by segment",
                (row, number) -> segment(
                        row.getInt("segment"),
                        token(row.getBytes("token"), row.getString("token_type")),
                        row.getString("owner")),
                processor);
    }

    private @Nullable TrackingToken token(byte @Nullable [] bytes, @Nullable String type) {
        return bytes == null || type == null
                ? null
                : serializer.deserialize(new SimpleSerializedObject<>(bytes, byte[].class, type, null));
    }

    private static Segment segment(int number, @Nullable TrackingToken token, @Nullable String owner) {
        long position = position(token == null ? null : WrappedToken.unwrapLowerBound(token));
        long resetAt = token instanceof ReplayToken replay ? position(replay.getTokenAtReset()) : -1;
        return new Segment(number, position, resetAt, owner);
    }

    private static long position(@Nullable TrackingToken token) {
        return token == null ? -1 : token.position().orElse(-1);
    }
}
