package dev.ledger.app.replay;

import dev.ledger.app.projection.TokenPositions;
import dev.ledger.app.projection.TokenPositions.Segment;
import java.util.List;
import java.util.Map;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventhandling.tokenstore.UnableToClaimTokenException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The projections' processors of this instance, and what their tokens say of all instances. */
final class Processors {

    /** Each projection and its version. */
    private final Map<String, String> projections;

    private final EventProcessingConfiguration processing;
    private final TokenPositions positions;
    private final JdbcTemplate jdbc;

    Processors(
            Map<String, String> projections,
            EventProcessingConfiguration processing,
            TokenPositions positions,
            JdbcTemplate jdbc) {
        this.projections = projections;
        this.processing = processing;
        this.positions = positions;
        this.jdbc = jdbc;
    }

    Map<String, String> projections() {
        return projections;
    }

    List<Segment> segments(String name) {
        return positions.of(name);
    }

    /** The global index of the newest event, 0 if there is none. */
    long head() {
        Long head = jdbc.queryForObject("select coalesce(max(global_index), 0) from domain_event", Long.class);
        return head == null ? 0 : head;
    }

    boolean isRunning(String name) {
        return processor(name).isRunning();
    }

    boolean isError(String name) {
        return processor(name).isError();
    }

    void stop(String name) {
        processor(name).shutDown();
    }

    void start(String name) {
        processor(name).start();
    }

    /**
     * Clears the read model, forgets what it has handled and moves its tokens back, in one transaction.
     *
     * @return false if another instance still works on a segment
     */
    boolean reset(String name) {
        try {
            processor(name).resetTokens();
            return true;
        } catch (UnableToClaimTokenException e) {
            return false;
        }
    }

    private StreamingEventProcessor processor(String name) {
        return processing
                .eventProcessor(name, StreamingEventProcessor.class)
                .orElseThrow(() -> new IllegalStateException("there is no processor " + name));
    }
}
