package dev.ledger.app.http;

import dev.ledger.app.inbox.HttpMessageReader;
import dev.ledger.app.inbox.Inbox;
import dev.ledger.app.inbox.InboxHandler;
import dev.ledger.app.inbox.InboxMessage;
import dev.ledger.app.inbox.InboxOutcome;
import dev.ledger.app.inbox.InboxProperties;
import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import dev.ledger.app.problem.ProblemWriter;
import dev.ledger.app.security.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/** Takes a CloudEvent and answers once its effect has committed (C5). */
@RestController
final class InboxController {

    private final Inbox inbox;
    private final InboxProperties properties;
    private final ProblemWriter problems;
    private final JsonMapper json;

    InboxController(Inbox inbox, InboxProperties properties, ProblemWriter problems, JsonMapper json) {
        this.inbox = inbox;
        this.properties = properties;
        this.problems = problems;
        this.json = json;
    }

    @PostMapping("/v1/inbox/{handler}")
    ResponseEntity<byte[]> post(
            @AuthenticationPrincipal Caller caller, @PathVariable String handler, HttpServletRequest request)
            throws IOException {
        InboxHandler receiver = inbox.find(handler).orElseThrow(() -> new ProblemException(Problem.notFound()));
        byte[] body = RequestBody.read(request, properties.maxBody().toBytes());
        InboxMessage message =
                HttpMessageReader.read(caller.tenant(), headers(request), body, CorrelationHeader.of(request));
        InboxOutcome outcome = inbox.deliver(receiver, message).await(properties.answerTimeout());
        if (outcome instanceof InboxOutcome.Applied applied) {
            return answer("applied", applied.result(), applied.handlerVersion());
        }
        if (outcome instanceof InboxOutcome.Duplicate duplicate) {
            return answer("duplicate", duplicate.result(), duplicate.handlerVersion());
        }
        InboxOutcome.Conflict conflict = (InboxOutcome.Conflict) outcome;
        return problems.entity(Problems.conflict("event", conflict.storedDigest(), conflict.offeredDigest()));
    }

    private static Map<String, List<String>> headers(HttpServletRequest request) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name, new ArrayList<>(Collections.list(request.getHeaders(name))));
        }
        return headers;
    }

    private ResponseEntity<byte[]> answer(String outcome, String result, String handlerVersion) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("outcome", outcome);
        answer.put("result", new RawValue(result));
        answer.put("handlerVersion", handlerVersion);
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(json.writeValueAsBytes(answer));
    }
}
