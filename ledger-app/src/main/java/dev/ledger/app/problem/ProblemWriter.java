package dev.ledger.app.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Writes problem documents, from controllers and from where no controller is reached. */
@Component
public final class ProblemWriter {

    private final JsonMapper json;
    private volatile boolean stopping;

    ProblemWriter(JsonMapper json) {
        this.json = json;
    }

    /** Comes before the web server lets go of its connections. */
    @EventListener(ContextClosedEvent.class)
    void stop() {
        stopping = true;
    }

    /** A connection that is let go of may have lost the rest of a good request: nobody is blamed while the ledger stops. */
    private Problem told(Problem problem) {
        return stopping && problem.status() == 400 ? Problem.stopping() : problem;
    }

    public ResponseEntity<byte[]> entity(Problem found) {
        Problem problem = told(found);
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(problem.status()).header(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE);
        if (problem.retryAfterSeconds() > 0) {
            answer.header(HttpHeaders.RETRY_AFTER, Integer.toString(problem.retryAfterSeconds()));
        }
        return answer.body(json.writeValueAsBytes(problem.document()));
    }

    public void unauthenticated(
            HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
            throws IOException {
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        write(response, Problem.of("unauthenticated", 401, "a valid key or token is needed"));
    }

    public void forbidden(HttpServletRequest request, HttpServletResponse response, AccessDeniedException failure)
            throws IOException {
        write(response, Problem.forbidden());
    }

    public void rejected(HttpServletRequest request, HttpServletResponse response, RequestRejectedException failure)
            throws IOException {
        write(response, Problem.invalidRequest("path", "the path holds characters that no identifier has"));
    }

    public void write(HttpServletResponse response, Problem found) throws IOException {
        Problem problem = told(found);
        response.setStatus(problem.status());
        response.setContentType(Problem.MEDIA_TYPE);
        if (problem.retryAfterSeconds() > 0) {
            response.setHeader(HttpHeaders.RETRY_AFTER, Integer.toString(problem.retryAfterSeconds()));
        }
        response.getOutputStream().write(json.writeValueAsBytes(problem.document()));
    }
}
