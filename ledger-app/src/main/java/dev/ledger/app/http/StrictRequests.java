package dev.ledger.app.http;

import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses what nothing behind it could read, whatever the path: a query that is no UTF-8, a type that is no type.
 * Like malformed HTTP it is refused before anybody is asked for a key. Each of them would be thrown where nobody expects it.
 * And what comes back as an error without a body gets one.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StrictRequests extends OncePerRequestFilter {

    private final ProblemWriter problems;

    StrictRequests(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Problem problem = problemOf(request);
        if (problem == null) {
            chain.doFilter(request, response);
            problem = problemOf(response);
        }
        if (problem != null) {
            problems.write(response, problem);
        }
    }

    /** The actuator answers with a status alone, for example where it has no metric of a name. */
    private static @Nullable Problem problemOf(HttpServletResponse response) {
        int status = response.getStatus();
        if (status < 400 || response.isCommitted() || response.getContentType() != null) {
            return null;
        }
        if (status == 404) {
            return Problem.notFound();
        }
        return status < 500
                ? Problem.invalidRequest("the request is not one that this path takes")
                        .withStatus(status)
                : Problem.internalError().withStatus(status);
    }

    private static @Nullable Problem problemOf(HttpServletRequest request) {
        if (!hasReadableQuery(request)) {
            return Problem.invalidRequest("query", "the query is not percent-encoded UTF-8");
        }
        if (!hasReadableType(request.getContentType())) {
            return Problem.of("unsupported-media-type", 415, "the body's type is not a media type");
        }
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        if (accept != null && accept.isBlank()) {
            return Problem.invalidRequest(HttpHeaders.ACCEPT, "must name a type, or be left out");
        }
        // Spring would answer it with a text; no page of another origin is meant to call.
        return CorsUtils.isPreFlightRequest(request)
                ? Problem.of("forbidden", 403, "no other origin may call the ledger")
                : null;
    }

    /** Reads the query only: no body is taken for a form, see {@link HttpConfiguration}. */
    private static boolean hasReadableQuery(HttpServletRequest request) {
        try {
            request.getParameterMap();
            return true;
        } catch (InvalidParameterException e) {
            return false;
        }
    }

    private static boolean hasReadableType(@Nullable String type) {
        if (type == null || type.isBlank()) {
            return true; // Where a body is needed, its type is asked for.
        }
        try {
            return MediaType.parseMediaType(type).isConcrete();
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }
}
