package dev.ledger.app.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * What the web server refuses by itself, before any filter of ours is reached, or after all of them failed, is told in a
 * problem document and not on a page of its own (H4): an escaped slash, a broken escape, a header that is too large.
 */
final class ProblemReportValve extends ErrorReportValve {

    private final ProblemWriter writer;

    private ProblemReportValve(ProblemWriter writer) {
        this.writer = writer;
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        if (response.getStatus() < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        try {
            writer.write(response, problemOf(response.getStatus()));
            response.finishResponse();
        } catch (IOException e) {
            throw new UncheckedIOException("the problem could not be sent", e);
        }
    }

    private static Problem problemOf(int status) {
        if (status >= 500) {
            return Problem.internalError().withStatus(status);
        }
        return switch (status) {
            case HttpServletResponse.SC_NOT_FOUND -> Problem.notFound();
            case HttpServletResponse.SC_METHOD_NOT_ALLOWED ->
                Problem.of("method-not-allowed", status, "the path does not take this method");
            default ->
                Problem.invalidRequest("the request is not one that a client should send")
                        .withStatus(status);
        };
    }

    /** Puts the valve next to the application: the innermost one answers. */
    @Configuration(proxyBeanMethods = false)
    static class Installation {

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> problemReports(ProblemWriter writer) {
            return server -> server.addContextCustomizers(context -> {
                StandardHost host = (StandardHost) context.getParent();
                host.setErrorReportValveClass(ProblemReportValve.class.getName());
                host.getPipeline().addValve(new ProblemReportValve(writer));
            });
        }
    }
}
