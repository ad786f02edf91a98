package dev.ledger.app.testing;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the ledger answered. */
public record Answer(int status, HttpHeaders headers, byte[] body) {

    private static final JsonMapper MAPPER = new JsonMapper();

    /** Reads a whole HTTP/1.1 answer whose body is not chunked, or whose chunks do not matter. */
    public static Answer parse(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new IllegalStateException("no HTTP answer: " + text);
        }
        String[] lines = text.substring(0, end).split("\r\n");
        HttpHeaders headers = HttpHeaders.of(
                Arrays.stream(lines)
                        .skip(1)
                        .map(line -> line.split(":", 2))
                        .collect(groupingBy(
                                parts -> parts[0].toLowerCase(Locale.ROOT),
                                mapping(parts -> parts[1].strip(), toList()))),
                (name, value) -> true);
        // What follows is another answer, to bytes that the ledger took for a second request.
        long bodyEnd = end + 4 + headers.firstValueAsLong("content-length").orElse(bytes.length);
        byte[] body = Arrays.copyOfRange(bytes, end + 4, (int) Math.min(bytes.length, bodyEnd));
        return new Answer(Integer.parseInt(lines[0].split(" ")[1]), headers, unchunked(headers, body));
    }

    private static byte[] unchunked(HttpHeaders headers, byte[] body) {
        if (headers.firstValue("transfer-encoding").isEmpty()) {
            return body;
        }
        String text = new String(body, StandardCharsets.ISO_8859_1);
        StringBuilder whole = new StringBuilder();
        int position = 0;
        while (true) {
            int lineEnd = text.indexOf("\r\n", position);
            int length = Integer.parseInt(text.substring(position, lineEnd), 16);
            if (length == 0) {
                return whole.toString().getBytes(StandardCharsets.ISO_8859_1);
            }
            whole.append(text, lineEnd + 2, lineEnd + 2 + length);
            position = lineEnd + 2 + length + 2;
        }
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    public JsonNode json() {
        return MAPPER.readTree(body);
    }

    /** The answer lines of a batch. */
    public List<JsonNode> lines() {
        return text().lines().map(line -> (JsonNode) MAPPER.readTree(line)).toList();
    }

    public String header(String name) {
        return headers.firstValue(name).orElse("");
    }

    public Answer hasStatus(int wanted) {
        assertThat(status).as("status of %s", text()).isEqualTo(wanted);
        return this;
    }

    /** Fails unless this is the whole of a problem document: status, type, code and media type belong together. */
    public JsonNode isProblem(int wantedStatus, String code) {
        assertThat(status + " " + header("content-type") + " " + text())
                .startsWith(wantedStatus + " application/problem+json")
                .contains("\"code\":\"" + code + "\"");
        JsonNode problem = json();
        assertThat(problem.path("type").asString()).isEqualTo("urn:ledger:problem:" + code);
        assertThat(problem.path("status").asInt()).isEqualTo(wantedStatus);
        assertThat(problem.path("title").asString()).isNotBlank();
        return problem;
    }
}
