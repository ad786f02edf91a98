package dev.ledger.app.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What Tomcat refuses before Spring sees it is a problem document too, not a page of HTML. */
public final class ProblemErrorReportValve extends ErrorReportValve {

    private static final JsonMapper JSON = new JsonMapper();

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        try {
            response.setContentType(Problem.MEDIA_TYPE);
            response.getResponse()
                    .getOutputStream()
                    .write(JSON.writeValueAsString(problem(status).document()).getBytes(StandardCharsets.UTF_8));
            response.finishResponse();
        } catch (IOException | IllegalStateException e) {
            // The caller has hung up or has been answered: there is nobody to tell.
            container.getLogger().debug("no problem document could be written", e);
        }
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
