package dev.ledger.app.http;

import dev.ledger.app.security.Caller;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Any number of operations in one request: a line in, a line out, in order. */
@RestController
final class BatchController {

    private final CommandGateway commands;
    private final HttpProperties properties;
    private final AnswerSpools spools;

    BatchController(CommandGateway commands, HttpProperties properties, AnswerSpools spools) {
        this.commands = commands;
        this.properties = properties;
        this.spools = spools;
    }

    @PostMapping("/v1/operations")
    void post(@AuthenticationPrincipal Caller caller, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        RequestBody.requireType(request.getContentType(), MediaType.APPLICATION_NDJSON_VALUE);
        String correlationId = CorrelationHeader.of(request);
        LineReader lines = new LineReader(
                request.getInputStream(), (int) properties.maxLine().toBytes());
        response.setContentType(MediaType.APPLICATION_NDJSON_VALUE);
        try (AnswerSpool answers = spools.open(response.getOutputStream())) {
            new Batch(caller.tenant(), correlationId, commands, properties, answers, spools.background()).apply(lines);
            answers.finish();
        }
    }
}
