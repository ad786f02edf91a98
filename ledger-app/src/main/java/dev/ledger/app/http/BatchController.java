package dev.ledger.app.http;

import dev.ledger.app.security.Caller;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Any number of operations in one request: a line in, a line out, in order. */
@RestController
final class BatchController {

    private static final Logger log = LoggerFactory.getLogger(BatchController.class);

    private final CommandGateway commands;
    private final HttpProperties properties;
    private final AnswerSpools spools;
    private final Counter notTaking;
    private final Counter silent;

    BatchController(CommandGateway commands, HttpProperties properties, AnswerSpools spools, MeterRegistry meters) {
        this.commands = commands;
        this.properties = properties;
        this.spools = spools;
        this.notTaking = meters.counter("ledger.http.batches.cut", "reason", "not-taking");
        this.silent = meters.counter("ledger.http.batches.cut", "reason", "silent");
    }

    @PostMapping("/v1/operations")
    void post(@AuthenticationPrincipal Caller caller, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        RequestBody.requireType(request.getContentType(), MediaType.APPLICATION_NDJSON_VALUE);
        String correlationId = CorrelationHeader.of(request);
        LineReader lines = new LineReader(
                request.getInputStream(), (int) properties.maxLine().toBytes());
        response.setContentType(MediaType.APPLICATION_NDJSON_VALUE);
        CallerConnection connection = CallerConnection.of(request);
        try (CallerConnection.TimeLimits limits = connection.limit(properties.streamIdleTimeout())) {
            AnswerSpool answers = spools.open(response.getOutputStream(), connection);
            Batch batch = new Batch(caller.tenant(), correlationId, commands, properties, answers, spools.background());
            try (answers) {
                batch.apply(lines);
                answers.finish();
            } catch (IOException e) {
                brokeOff(caller, batch.lines(), answers.wasCut(), e);
                end(connection, response, e);
            } finally {
                spools.closed(answers);
            }
        }
    }

    private void brokeOff(Caller caller, long lines, boolean cut, IOException failure) {
        if (cut) {
            notTaking.increment();
            log.warn(
                    "a batch of tenant {} was cut after {} lines: its caller took no answer for {}",
                    caller.tenant(),
                    lines,
                    properties.takeTimeout());
        } else if (isSilence(failure)) {
            silent.increment();
            log.info(
                    "a batch of tenant {} was cut after {} lines: its caller sent nothing for {}",
                    caller.tenant(),
                    lines,
                    properties.streamIdleTimeout());
        } else {
            log.debug("a batch of tenant {} broke off after {} lines", caller.tenant(), lines, failure);
        }
    }

    /** What was answered stays answered, and must not look like the whole. */
    private static void end(CallerConnection connection, HttpServletResponse response, IOException failure)
            throws IOException {
        if (response.isCommitted()) {
            connection.breakOff();
        } else {
            throw failure;
        }
    }

    private static boolean isSilence(IOException failure) {
        return failure.getCause() instanceof SocketTimeoutException;
    }
}
