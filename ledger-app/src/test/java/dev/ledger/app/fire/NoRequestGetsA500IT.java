package dev.ledger.app.fire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.fire.RandomRequests.Target;
import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import tools.jackson.core.JacksonException;

/**
 * Whatever is sent, to whatever path there is, nothing fails: an error is a problem document that says what is wrong with the
 * request, and the log stays quiet. The paths are those that the running ledger has registered, the actuator's included.
 *
 * <p>The seed is fixed in an ordinary build and another one each time with the profile {@code soak}; {@code -Dhunter.seed}
 * repeats one.
 */
@OnBothDatabases(properties = {"ledger.http.at-least-timeout=50ms", "server.tomcat.connection-timeout=2s"})
@ExtendWith(OutputCaptureExtension.class)
class NoRequestGetsA500IT {

    private static final int REQUESTS = 3000;
    private static final int MOST_REPORTED = 20;
    private static final int SILENCE_MILLIS = 15_000;
    private static final Pattern STACK_TRACE = Pattern.compile("(?m)^\\s+at [\\w.$/]+\\(");

    private final RunningLedger ledger;

    NoRequestGetsA500IT(RunningLedger ledger) {
        this.ledger = ledger;
    }

    @Test
    void everyAnswerIsOneThatTheCallerCanUse(CapturedOutput output) {
        LedgerClient alpha = ledger.client(Key.ALPHA);
        alpha.apply("rich", "one", 1000).hasStatus(201);
        List<Target> targets = targets();
        assertThat(targets)
                .extracting(Target::pattern)
                .contains("/v1/accounts", "/v1/replays/{id}/start", "/actuator/health");
        long seed = Long.getLong("hunter.seed", Scale.rounds(1) == 1 ? 20261207L : System.nanoTime());
        System.out.println("hunter.seed=" + seed + " over " + targets.size() + " paths");
        RandomRequests requests = new RandomRequests(
                seed, Key.ALPHA.secret(), targets, List.of("rich", "one", "loyalty-points", plannedReplay(alpha)));

        List<String> failures = new ArrayList<>();
        int answered = 0;
        int logged = output.getAll().length();
        for (int i = 0; i < Scale.rounds(REQUESTS) && failures.size() < MOST_REPORTED; i++) {
            byte[] request = requests.next();
            byte[] answer = exchange(alpha, request);
            String wrong = wrongWith(answer, new String(request, ISO_8859_1).startsWith("HEAD "));
            String log = output.getAll().substring(logged);
            logged += log.length();
            if (wrong.isEmpty() && STACK_TRACE.matcher(log).find()) {
                wrong = "a stack trace in the log";
            }
            if (!wrong.isEmpty()) {
                failures.add("request %d, %s:%n%s%n%s".formatted(i, wrong, repeatable(request), firstLines(log)));
            }
            answered += answer.length > 0 ? 1 : 0;
        }

        assertThat(failures).as("seed %d", seed).isEmpty();
        // Of bodies that break off some get no answer; a hunter whom nobody answers would find nothing.
        assertThat(answered).isGreaterThan(Scale.rounds(REQUESTS) * 9 / 10);
        alpha.receipt("rich", "one").hasStatus(200);
        alpha.apply("rich", "still-alive", 1).hasStatus(201);
    }

    /** To be started again and again. */
    private static String plannedReplay(LedgerClient client) {
        byte[] request = "{\"handlers\":[\"account-balances\"],\"mode\":\"rebuild\"}".getBytes(ISO_8859_1);
        return client.send("POST", "/v1/replays", request, "Content-Type", "application/json")
                .hasStatus(201)
                .json()
                .path("id")
                .asString();
    }

    private List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        for (RequestMappingInfoHandlerMapping mapping : ledger.beans(RequestMappingInfoHandlerMapping.class)) {
            for (RequestMappingInfo info : mapping.getHandlerMethods().keySet()) {
                List<String> methods = info.getMethodsCondition().getMethods().stream()
                        .map(Enum::name)
                        .sorted()
                        .toList();
                info.getPatternValues().forEach(pattern -> targets.add(new Target(pattern, methods)));
            }
        }
        targets.sort(Comparator.comparing(Target::pattern)
                .thenComparing(target -> target.methods().toString()));
        return targets;
    }

    /** @return what was answered until the ledger closed the connection, empty if it only did that */
    private static byte[] exchange(LedgerClient client, byte[] request) {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = client.open()) {
            socket.setSoTimeout(SILENCE_MILLIS);
            socket.getOutputStream().write(request);
            socket.shutdownOutput();
            byte[] buffer = new byte[8192];
            for (int n = socket.getInputStream().read(buffer);
                    n >= 0;
                    n = socket.getInputStream().read(buffer)) {
                answer.write(buffer, 0, n);
            }
        } catch (SocketTimeoutException e) {
            answer.writeBytes("SILENCE".getBytes(ISO_8859_1));
        } catch (IOException e) {
            // Closed before it had taken all of the request: what it had said until then counts.
        }
        return answer.toByteArray();
    }

    /** @return what is wrong, empty if nothing is */
    private static String wrongWith(byte[] bytes, boolean head) {
        String text = new String(bytes, ISO_8859_1);
        if (text.endsWith("SILENCE")) {
            return "no end of the answer: " + text;
        }
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            return "";
        }
        int status = Integer.parseInt(text.substring(9, 12));
        if (status < 400) {
            return "";
        }
        Answer answer = Answer.parse(bytes);
        if (status == 500) {
            return "500 " + answer.text();
        }
        if (!answer.header("content-type").startsWith("application/problem+json")) {
            return status + " and no problem document: " + text;
        }
        try {
            boolean whole = head || answer.json().path("code").asString("").matches("[a-z-]+");
            return whole ? "" : status + " without a code: " + text;
        } catch (JacksonException e) {
            return status + " and no JSON: " + text;
        }
    }

    /** As a shell can send it again, to the port that the ledger then has. */
    private static String repeatable(byte[] request) {
        StringBuilder command = new StringBuilder("printf '");
        for (byte b : request) {
            int c = b & 0xff;
            if (c == '%') {
                command.append("%%");
            } else if (c >= 0x20 && c < 0x7f && c != '\'' && c != '\\') {
                command.append((char) c);
            } else {
                command.append("\\%03o".formatted(c));
            }
        }
        return command.append("' | nc -N localhost 8080").toString();
    }

    private static String firstLines(String log) {
        return log.lines().limit(12).reduce("", (all, line) -> all + "    " + line + "\n");
    }
}
