package dev.ledger.app.http;

import dev.ledger.app.problem.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.AbstractProtocol;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What Tomcat refuses before Spring sees it is a problem document too, not a page of HTML. */
public final class ProblemErrorReportValve extends ErrorReportValve {

    private static final JsonMapper JSON = new JsonMapper();

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        if (response.getStatus() < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        Problem problem =
                response.getStatus() != 500 && isStopping(request) ? Problem.stopping() : problem(response.getStatus());
        try {
            response.setStatus(problem.status());
            if (problem.retryAfterSeconds() > 0) {
                response.setHeader("Retry-After", Integer.toString(problem.retryAfterSeconds()));
            }
            response.setContentType(Problem.MEDIA_TYPE);
            response.getResponse()
                    .getOutputStream()
                    .write(JSON.writeValueAsString(problem.document()).getBytes(StandardCharsets.UTF_8));
            response.finishResponse();
        } catch (IOException | IllegalStateException e) {
            // The caller has hung up or has been answered: there is nobody to tell.
            container.getLogger().debug("no problem document could be written", e);
        }
    }

    /**
     * While it stops, Tomcat reads no headers of what still comes on an open connection, misses the Host among them and
     * blames the caller with a 400. The caller did nothing wrong and has to come back.
     */
    private static boolean isStopping(Request request) {
        return request.getConnector().getProtocolHandler() instanceof AbstractProtocol<?> protocol
                && protocol.isPaused();
    }

    private static Problem problem(int status) {
        if (status == 404) {
            return Problem.notFound();
        }
        return status < 500
                ? Problem.invalidRequest("the request is not well-formed HTTP").withStatus(status)
                : Problem.internalError().withStatus(status);
    }
}
