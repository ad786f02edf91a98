package dev.ledger.app.replay;

import dev.ledger.app.replay.Replays.Progress;
import dev.ledger.app.security.Caller;
import dev.ledger.domain.balance.InvalidOperationException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.util.RawValue;

/** Replays, for operators. */
@RestController
final class ReplayController {

    private final Replays replays;

    ReplayController(Replays replays) {
        this.replays = replays;
    }

    /**
     * @param handlers whose read models are to be rebuilt
     * @param mode {@code rebuild}
     */
    record ReplayRequest(
            @Nullable List<String> handlers, @Nullable String mode) {}

    @PostMapping("/v1/replays")
    @ResponseStatus(HttpStatus.CREATED)
    Map<String, Object> plan(@AuthenticationPrincipal Caller caller, @RequestBody ReplayRequest request) {
        return view(replays.plan(
                request.mode() == null ? "" : request.mode(),
                request.handlers() == null ? List.of() : request.handlers(),
                caller));
    }

    @PostMapping("/v1/replays/{id}/start")
    Map<String, Object> start(@AuthenticationPrincipal Caller caller, @PathVariable String id) {
        replays.start(find(id, caller));
        return view(find(id, caller));
    }

    @GetMapping("/v1/replays")
    Map<String, Object> list(@AuthenticationPrincipal Caller caller) {
        return Map.of("items", replays.latest(caller).stream().map(this::view).toList());
    }

    @GetMapping("/v1/replays/{id}")
    Map<String, Object> get(@AuthenticationPrincipal Caller caller, @PathVariable String id) {
        return view(find(id, caller));
    }

    @GetMapping("/v1/replays/{id}/report")
    RawValue report(@AuthenticationPrincipal Caller caller, @PathVariable String id) {
        String report = find(id, caller).report();
        if (report == null) {
            throw new ReplayRefusedException("replay-not-ended", "the replay has not ended");
        }
        return new RawValue(report);
    }

    @GetMapping("/v1/handlers")
    Map<String, Object> handlers(@AuthenticationPrincipal Caller caller) {
        return Map.of("items", replays.handlers(caller));
    }

    /** Another one's job is not found, as an unknown one is. */
    private ReplayJob find(String id, Caller caller) {
        UUID uuid;
        try {
            uuid = UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            throw new InvalidOperationException("id", "is not the id of a replay");
        }
        return replays.find(uuid, caller).orElseThrow(ReplayNotFoundException::new);
    }

    private Map<String, Object> view(ReplayJob job) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", job.id());
        view.put("mode", job.mode());
        view.put("handlers", job.handlers());
        view.put("state", job.state().name().toLowerCase(Locale.ROOT));
        view.put("requestedBy", job.requestedBy());
        view.put("plannedAt", job.plannedAt().toString());
        if (job.startedAt() != null) {
            view.put("startedAt", job.startedAt().toString());
            Progress progress = replays.progress(job);
            Instant until = job.endedAt() == null ? Instant.now() : job.endedAt();
            double seconds =
                    Math.max(0.001, Duration.between(job.startedAt(), until).toMillis() / 1000.0);
            double rate = progress.handled() / seconds;
            view.put("progress", Map.of("handled", progress.handled(), "total", progress.total()));
            view.put("eventsPerSecond", Math.round(rate));
            view.put("remainingSeconds", rate == 0 ? 0 : Math.round((progress.total() - progress.handled()) / rate));
        }
        if (job.endedAt() != null) {
            view.put("endedAt", job.endedAt().toString());
        }
        view.put("consumerVersion", job.consumerVersion());
        view.put("plan", new RawValue(job.plan()));
        return view;
    }
}
