package dev.ledger.app.http;

import dev.ledger.app.commit.Correlation;
import dev.ledger.app.commit.OutcomeUnknownException;
import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import dev.ledger.app.problem.ProblemWriter;
import dev.ledger.app.security.Caller;
import dev.ledger.app.store.LedgerEventStorageEngine;
import dev.ledger.domain.balance.AccountKey;
import dev.ledger.domain.balance.ApplyDelta;
import dev.ledger.domain.balance.EventIdentity;
import dev.ledger.domain.balance.Identifiers;
import dev.ledger.domain.balance.InvalidOperationException;
import dev.ledger.domain.balance.Operation;
import dev.ledger.domain.balance.Outcome;
import dev.ledger.domain.balance.Receipt;
import dev.ledger.domain.balance.Rejection;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** One operation at a time: apply it, apply it again, see its receipt. */
@RestController
final class OperationController {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    private static final String REPLAYED = "Idempotent-Replayed";

    private final CommandGateway commands;
    private final LedgerEventStorageEngine store;
    private final HttpProperties properties;
    private final ProblemWriter problems;

    OperationController(
            CommandGateway commands,
            LedgerEventStorageEngine store,
            HttpProperties properties,
            ProblemWriter problems) {
        this.commands = commands;
        this.store = store;
        this.properties = properties;
        this.problems = problems;
    }

    @PutMapping("/v1/accounts/{account}/operations/{operationId}")
    ResponseEntity<byte[]> put(
            @AuthenticationPrincipal Caller caller,
            @PathVariable String account,
            @PathVariable String operationId,
            HttpServletRequest request)
            throws IOException {
        return apply(caller, account, Identifiers.require("operationId", operationId), request, 409);
    }

    /** The form of the IETF draft on the Idempotency-Key header, which answers a conflict with 422. */
    @PostMapping("/v1/accounts/{account}/operations")
    ResponseEntity<byte[]> post(
            @AuthenticationPrincipal Caller caller, @PathVariable String account, HttpServletRequest request)
            throws IOException {
        return apply(caller, account, idempotencyKey(request), request, 422);
    }

    @GetMapping("/v1/accounts/{account}/operations/{operationId}")
    ResponseEntity<byte[]> receipt(
            @AuthenticationPrincipal Caller caller, @PathVariable String account, @PathVariable String operationId) {
        AccountKey key = new AccountKey(caller.tenant(), account);
        Identifiers.require("operationId", operationId);
        return store.findOperation(EventIdentity.of(key.tenant(), ApplyDelta.HANDLER, operationId))
                .filter(event -> event.account().equals(account))
                .map(event -> receipt(200, event.operation(), event.receipt()))
                .orElseGet(() -> problems.entity(Problem.notFound()));
    }

    private ResponseEntity<byte[]> apply(
            Caller caller, String account, String operationId, HttpServletRequest request, int conflictStatus)
            throws IOException {
        AccountKey key = new AccountKey(caller.tenant(), account);
        String correlationId = CorrelationHeader.of(request);
        byte[] body = RequestBody.read(
                request, MediaType.APPLICATION_JSON_VALUE, properties.maxBody().toBytes());
        Operation operation = OperationReader.readContent(body, key, operationId);
        Outcome outcome = await(commands.send(Correlation.message(new ApplyDelta(operation), correlationId)));
        if (outcome instanceof Outcome.Applied applied) {
            return receipt(201, operation, applied.receipt());
        }
        if (outcome instanceof Outcome.Replayed replayed) {
            return ResponseEntity.ok()
                    .contentType(MediaType.APPLICATION_JSON)
                    .header(REPLAYED, "true")
                    .body(ReceiptJson.bytes(operation, replayed.receipt()));
        }
        Rejection rejection = ((Outcome.Rejected) outcome).rejection();
        Problem problem = Problems.of(rejection);
        return problems.entity(
                rejection instanceof Rejection.OperationConflict ? problem.withStatus(conflictStatus) : problem);
    }

    private static ResponseEntity<byte[]> receipt(int status, Operation operation, Receipt receipt) {
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .body(ReceiptJson.bytes(operation, receipt));
    }

    /** The commit has happened, or it has not, or nobody knows within the time that a caller is kept waiting. */
    private Outcome await(CompletableFuture<Outcome> outcome) {
        try {
            return outcome.get(properties.answerTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new ProblemException(Problems.of(e));
        } catch (TimeoutException | InterruptedException e) {
            throw new OutcomeUnknownException(e);
        }
    }

    /** Bare, or as the draft's quoted string. */
    private static String idempotencyKey(HttpServletRequest request) {
        List<String> values = Collections.list(request.getHeaders(IDEMPOTENCY_KEY));
        if (values.size() != 1) {
            throw new InvalidOperationException(IDEMPOTENCY_KEY, "must be given once");
        }
        String value = values.get(0);
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return Identifiers.require(IDEMPOTENCY_KEY, quoted ? value.substring(1, value.length() - 1) : value);
    }
}
