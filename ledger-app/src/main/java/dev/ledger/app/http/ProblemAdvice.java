package dev.ledger.app.http;

import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import dev.ledger.app.problem.ProblemWriter;
import org.apache.catalina.connector.ClientAbortException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Whatever leaves a controller as an exception becomes a problem document here. */
@RestControllerAdvice
final class ProblemAdvice {

    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

    private final ProblemWriter writer;

    ProblemAdvice(ProblemWriter writer) {
        this.writer = writer;
    }

    /** The caller has hung up: there is nobody to answer. */
    @ExceptionHandler(AsyncRequestNotUsableException.class)
    void hungUp(AsyncRequestNotUsableException failure) {
        log.debug("the caller has hung up", failure);
    }

    /** So has one whose body broke off, unless it only was too slow. */
    @ExceptionHandler(ClientAbortException.class)
    ResponseEntity<byte[]> brokeOff(ClientAbortException failure) {
        log.debug("the caller's body broke off", failure);
        return writer.entity(
                Problem.invalidRequest("the rest of the body did not come").withStatus(408));
    }

    /** A failed command has been logged where it failed, and comes here as the problem that it is. */
    @ExceptionHandler(Exception.class)
    ResponseEntity<byte[]> problem(Exception failure) {
        Problem problem = problemOf(failure);
        if (problem.status() == 500 && !(failure instanceof ProblemException)) {
            log.error("a request failed", failure);
        } else if (problem.status() == 503 && failure instanceof NestedRuntimeException) {
            log.warn("a read was answered with {}: {}", problem.code(), failure.getMessage());
        }
        ResponseEntity<byte[]> answer = writer.entity(problem);
        if (failure instanceof HttpRequestMethodNotSupportedException unsupported
                && unsupported.getSupportedMethods() != null) {
            return ResponseEntity.status(answer.getStatusCode())
                    .headers(answer.getHeaders())
                    .header(HttpHeaders.ALLOW, unsupported.getSupportedMethods())
                    .body(answer.getBody());
        }
        return answer;
    }

    private static Problem problemOf(Exception failure) {
        if (failure instanceof NoResourceFoundException) {
            return Problem.notFound();
        }
        if (failure instanceof HttpMediaTypeNotSupportedException) {
            return Problem.of("unsupported-media-type", 415, "the body is not of a type that this path takes");
        }
        if (failure instanceof HttpRequestMethodNotSupportedException) {
            return Problem.of("method-not-allowed", 405, "the path does not take this method");
        }
        if (failure instanceof RequestRejectedException) {
            return Problem.invalidRequest("a header or the path holds characters that are not allowed there");
        }
        if (failure instanceof HttpMessageNotReadableException) {
            return Problem.invalidRequest("body", "the body is not the JSON that this path takes");
        }
        if (failure instanceof ErrorResponse response
                && response.getStatusCode().is4xxClientError()) {
            return Problem.invalidRequest("the request is not one that this path takes")
                    .withStatus(response.getStatusCode().value());
        }
        return Problems.of(failure);
    }
}
