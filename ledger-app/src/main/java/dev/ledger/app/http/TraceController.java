package dev.ledger.app.http;

import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import dev.ledger.app.security.Caller;
import dev.ledger.app.trace.OperationTrace;
import dev.ledger.app.trace.OperationTraces;
import dev.ledger.app.trace.SendAttempt;
import dev.ledger.app.trace.TracedDelivery;
import dev.ledger.domain.balance.DeltaApplied;
import dev.ledger.domain.balance.Identifiers;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Shows what happened, what was sent and what was delivered. */
@RestController
final class TraceController {

    private final OperationTraces traces;
    private final JsonMapper json;

    TraceController(OperationTraces traces, JsonMapper json) {
        this.traces = traces;
        this.json = json;
    }

    @GetMapping("/v1/operations/{operationId}/trace")
    Map<String, Object> trace(@AuthenticationPrincipal Caller caller, @PathVariable String operationId) {
        OperationTrace trace = traces.find(caller.tenant(), Identifiers.require("operationId", operationId))
                .orElseThrow(() -> new ProblemException(Problem.notFound()));
        Map<String, Object> answer = new LinkedHashMap<>();
        if (trace.fact() != null) {
            answer.put("fact", fact(trace.fact()));
        }
        answer.put(
                "sendAttempts",
                trace.sendAttempts().stream().map(TraceController::attempt).toList());
        answer.put(
                "deliveries",
                trace.deliveries().stream().map(TraceController::delivery).toList());
        return answer;
    }

    /** The receipt, and which story it belongs to. */
    private ObjectNode fact(OperationTrace.Fact fact) {
        DeltaApplied event = fact.event();
        ObjectNode answer = (ObjectNode) json.readTree(ReceiptJson.bytes(event.operation(), event.receipt()));
        if (fact.correlationId() != null) {
            answer.put("correlationId", fact.correlationId());
        }
        if (fact.causationId() != null) {
            answer.put("causationId", fact.causationId());
        }
        return answer;
    }

    private static Map<String, Object> attempt(SendAttempt attempt) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("destination", attempt.destination());
        answer.put("attempt", attempt.attempt());
        answer.put("at", attempt.at().toString());
        answer.put("outcome", attempt.outcome());
        optional(answer, "detail", attempt.detail());
        return answer;
    }

    private static Map<String, Object> delivery(TracedDelivery delivery) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("handler", delivery.handler());
        optional(answer, "handlerVersion", delivery.handlerVersion());
        answer.put("at", delivery.at().toString());
        answer.put("outcome", delivery.outcome());
        if (delivery.times() > 1) {
            answer.put("times", delivery.times());
        }
        optional(answer, "detail", delivery.detail());
        optional(answer, "replay", delivery.replay());
        return answer;
    }

    private static void optional(Map<String, Object> answer, String name, @Nullable String value) {
        if (value != null) {
            answer.put(name, value);
        }
    }
}
