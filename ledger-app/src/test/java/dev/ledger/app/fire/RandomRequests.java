package dev.ledger.app.fire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests of every kind: good ones, good ones with one thing wrong, and noise. The same seed makes the same ones.
 *
 * <p>Each path is sought by itself, so that a rare one is tried as often as any other.
 */
final class RandomRequests {

    /** A path that the ledger has registered, and the methods that it takes there. */
    record Target(String pattern, List<String> methods) {}

    private static final Pattern VARIABLE = Pattern.compile("\\{([^}]*)}|\\*+");

    private static final List<String> METHODS = List.of(
            "GET",
            "HEAD",
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
            "OPTIONS",
            "TRACE",
            "CONNECT",
            "PROPFIND",
            "get",
            "G@T",
            "");

    private static final List<String> NAMES = List.of(
            "limit", "cursor", "from", "to", "atLeast", "asOf", "tag", "name", "sort", "page", "access_token", "x", "");

    private static final List<String> VALUES = List.of(
            "",
            "0",
            "1",
            "5",
            "-1",
            "1000",
            "9223372036854775807",
            "9223372036854775808",
            "1e3",
            "NaN",
            "null",
            "true",
            "%00",
            "%ff",
            "%C0%AF",
            "%",
            "%zz",
            "%2",
            "+",
            "a+b",
            "%D9%A5",
            "%F0%9F%98%80",
            "2026-01-01T00:00:00Z",
            "-999999999-01-01T00:00:00Z",
            "%2B1000000000-12-31T23:59:59Z",
            "9999-12-31T23:59:59.999999999Z",
            "0000-01-01T00:00:00Z",
            "2026-01-01T00:00:00%2B18:00",
            "2026-01-01T00:00:00+23:59",
            "MDAwMS0wMS0wMVQwMDowMDowMFovMA",
            "LTk5OTk5OTk5OS0wMS0wMVQwMDowMDowMFovMA",
            "KzEwMDAwMDAwMDAtMTItMzFUMjM6NTk6NTlaLzk",
            "AA",
            "YQ",
            "_w",
            "IQ",
            "====",
            "a,b",
            "state:x",
            "ledger.commit.time",
            "x".repeat(200),
            "x".repeat(9000));

    private static final List<String> SEGMENTS = List.of(
            "a",
            "rich",
            "one",
            "nobody",
            "loyalty-points",
            "order-audit",
            "account-balances",
            "liveness",
            "readiness",
            "db",
            "diskSpace",
            "jvm.memory.used",
            "ledger.commit.time",
            "00000000-0000-0000-0000-000000000000",
            "1-1-1-1-1",
            "a+b@c=d~e",
            "%40",
            "%2B",
            "%2F",
            "%5C",
            "%25",
            "%00",
            "%ff",
            "%zz",
            "%",
            ";",
            "a;b=c",
            ".",
            "..",
            "%2e%2e",
            "*",
            "**",
            "{account}",
            "a%20b",
            "\u00e9",
            "a|b",
            "<script>",
            "x".repeat(128),
            "x".repeat(129),
            "x".repeat(3000),
            "");

    private static final List<String> TYPES = List.of(
            "application/json",
            "application/json",
            "application/x-ndjson",
            "application/cloudevents+json",
            "application/cloudevents-batch+json",
            "application/merge-patch+json",
            "application/json;charset=utf-16",
            "application/json;charset=nonsense",
            "application/json;charset=",
            "application/json;q=x",
            "application/*",
            "*/*",
            "*",
            "/",
            ";",
            "text/plain",
            "text/event-stream",
            "text/html",
            "multipart/form-data",
            "multipart/form-data; boundary=x",
            "multipart/mixed; boundary=x",
            "application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded;charset=nonsense",
            "application/vnd.spring-boot.actuator.v3+json",
            "application/openmetrics-text; version=1.0.0",
            "application/problem+json",
            "application/octet-stream",
            "application/xml",
            "nonsense",
            "a/b/c",
            "\"",
            "");

    private static final List<String> HEADERS = List.of(
            "Content-Type",
            "Accept",
            "Accept-Charset",
            "Accept-Encoding",
            "Accept-Language",
            "Idempotency-Key",
            "X-Correlation-Id",
            "Last-Event-ID",
            "If-None-Match",
            "If-Match",
            "If-Modified-Since",
            "If-Unmodified-Since",
            "Range",
            "Origin",
            "Access-Control-Request-Method",
            "Access-Control-Request-Headers",
            "Expect",
            "Upgrade",
            "TE",
            "Cookie",
            "Forwarded",
            "X-Forwarded-For",
            "X-Forwarded-Proto",
            "X-HTTP-Method-Override",
            "X-Requested-With",
            "Authorization",
            "Content-Length",
            "Content-Encoding",
            "Transfer-Encoding",
            "Host",
            "Connection",
            "ce-id",
            "ce-type",
            "ce-source",
            "ce-specversion",
            "ce-time",
            "ce-subject",
            "ce-dataschema",
            "ce-datacontenttype",
            "ce-correlationid",
            "traceparent",
            "b3",
            "X-\u00e9",
            "Bad Name");

    private static final List<String> HEADER_VALUES = List.of(
            "",
            "*",
            "*/*;q=2",
            "a/b;q=x",
            "1",
            "-1",
            "99999999999999999999",
            "a",
            "\"a\"",
            "W/\"a\", *",
            "bytes=0-1",
            "bytes=9-1,x",
            "100-continue",
            "websocket",
            "chunked",
            "identity",
            "gzip",
            "GET",
            "null",
            "http://evil.example",
            "http://[::1",
            "Thu, 01 Jan 1970 00:00:00 GMT",
            "Basic eDp5",
            "Bearer",
            "Bearer x",
            "utf-16",
            "nonsense",
            "1.0",
            "0.3",
            "order.paid",
            "/shop",
            "http://[",
            "2026-01-31T09:30:00Z",
            "%",
            "%ff",
            "\u00e9",
            "a\u0000b",
            "\u0001",
            "a=b; =; c",
            "00-00000000000000000000000000000000-0000000000000000-00",
            "for=\"[::1]\";proto=gopher",
            "x".repeat(129),
            "x".repeat(9000));

    private static final List<String> BODIES = List.of(
            "",
            "{\"delta\":1}",
            "{\"delta\":5,\"memo\":\"m\",\"occurredAt\":\"2026-01-01T00:00:00Z\",\"causedBy\":\"c\",\"attributes\":{\"k\":\"v\"}}",
            "{\"delta\":-9223372036854775808}",
            "{\"delta\":9223372036854775807}",
            "{\"account\":\"a\",\"operationId\":\"b\",\"delta\":1}\n{\"account\":\"a\",\"operationId\":\"b\",\"delta\":2}\noops\n",
            "{\"specversion\":\"1.0\",\"id\":\"e-1\",\"source\":\"/shop\",\"type\":\"order.paid\",\"subject\":\"o-1\","
                    + "\"time\":\"2026-01-31T09:30:00Z\",\"data\":{\"customer\":\"c-1\",\"points\":100}}",
            "{\"specversion\":\"1.0\",\"id\":\"e-2\",\"source\":\"/shop\",\"type\":\"order.created\","
                    + "\"data_base64\":\"eyJhIjoxfQ==\",\"correlationid\":\"s\",\"causationid\":\"e-1\"}",
            "{\"handlers\":[\"account-balances\",\"account-operations\"],\"mode\":\"rebuild\"}",
            "{\"handlers\":[\"account-balances\"],\"mode\":\"verify\",\"scope\":{\"from\":\"2026-01-01T00:00:00Z\","
                    + "\"accounts\":[\"a\"],\"eventTypes\":[\"x\"],\"operationIds\":[\"b\"]},\"eventsPerSecond\":10,\"concurrency\":2}",
            "{\"handlers\":[\"loyalty-points\"],\"mode\":\"redeliver\"}",
            "{\"handlers\":[\"account-balances\",\"account-balances\"],\"mode\":\"rebuild\"}",
            "{\"handlers\":[null],\"mode\":null}",
            "{\"handlers\":\"x\",\"mode\":[]}",
            "{\"eventsPerSecond\":-1,\"concurrency\":1e9}",
            "{\"reason\":\"because\"}",
            "{\"dryRun\":true}",
            "{\"type\":\"webhook\",\"url\":\"http://[\"}",
            "{\"configuredLevel\":\"nonsense\"}",
            "null",
            "[]",
            "{}",
            "5",
            "\"\"",
            "{\"a\":",
            "{\"delta\":1}{",
            "[".repeat(5000),
            "{\"a\":".repeat(2000),
            "1".repeat(3000),
            "{\"delta\":\"\\u0000\",\"memo\":\"\\ud800\"}",
            "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x--\r\n",
            "limit=%ff&cursor=%",
            "x".repeat(70_000));

    private final Random random;
    private final String token;
    private final List<Target> targets;
    private final List<String> known;
    private int number;

    /** @param known ids of things that are there, such as a replay's */
    RandomRequests(long seed, String token, List<Target> targets, List<String> known) {
        this.known = known;
        this.random = new Random(seed);
        this.token = token;
        this.targets = targets;
    }

    /** The bytes of a whole request, after which the caller sends no more. */
    byte[] next() {
        Target target = targets.get(number++ % targets.size());
        String method = !target.methods().isEmpty() && chance(70) ? pick(target.methods()) : pick(METHODS);
        byte[] body = body();
        List<String> headers = new ArrayList<>();
        headers.add("Host: localhost");
        headers.add("Connection: close");
        if (chance(95)) {
            headers.add("Authorization: Bearer " + token);
        }
        if (chance(85)) {
            headers.add("Content-Type: " + pick(TYPES));
        }
        if (chance(30)) {
            headers.add("Accept: " + pick(TYPES));
        }
        if (chance(50)) {
            headers.add("Idempotency-Key: " + pick(SEGMENTS));
        }
        for (int n = random.nextInt(4); n > 0; n--) {
            headers.add(pick(HEADERS) + ": " + pick(chance(30) ? TYPES : HEADER_VALUES));
        }
        boolean chunked = chance(10);
        if (chunked) {
            headers.add("Transfer-Encoding: chunked");
        } else if (body.length > 0 || chance(50)) {
            headers.add("Content-Length: " + body.length);
        }
        String path = path(target) + query();
        StringBuilder head = new StringBuilder(method).append(' ').append(path).append(" HTTP/1.1\r\n");
        headers.forEach(header -> head.append(header).append("\r\n"));
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.append("\r\n").toString().getBytes(UTF_8));
        if (chunked) {
            request.writeBytes((Integer.toHexString(body.length) + "\r\n").getBytes(ISO_8859_1));
            request.writeBytes(body);
            request.writeBytes((body.length == 0 ? "\r\n" : "\r\n0\r\n\r\n").getBytes(ISO_8859_1));
        } else {
            request.writeBytes(body);
        }
        byte[] bytes = request.toByteArray();
        return chance(3) ? mutated(bytes) : bytes;
    }

    private String path(Target target) {
        String path = VARIABLE.matcher(target.pattern()).replaceAll(this::segment);
        if (chance(90)) {
            return path;
        }
        int at = random.nextInt(path.length() + 1);
        return path.substring(0, at)
                + pick(SEGMENTS)
                + path.substring(chance(50) ? at : Math.min(at + 1, path.length()));
    }

    private String segment(MatchResult variable) {
        return Matcher.quoteReplacement(pick(chance(40) ? known : SEGMENTS));
    }

    private String query() {
        if (chance(50)) {
            return "";
        }
        StringBuilder query = new StringBuilder("?");
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            query.append(pick(NAMES))
                    .append(chance(90) ? "=" : "")
                    .append(pick(VALUES))
                    .append('&');
        }
        return chance(80) ? query.substring(0, query.length() - 1) : query.toString();
    }

    private byte[] body() {
        byte[] body = pick(BODIES).getBytes(UTF_8);
        return chance(30) ? mutated(body) : body;
    }

    /** A few bytes are others, are gone, or come twice. */
    private byte[] mutated(byte[] bytes) {
        ByteArrayOutputStream other = new ByteArrayOutputStream();
        int one = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (i != one && random.nextInt(200) != 0) {
                other.write(bytes[i]);
                continue;
            }
            switch (random.nextInt(3)) {
                case 0 -> other.write(random.nextInt(256));
                case 1 -> other.writeBytes(new byte[] {bytes[i], bytes[i]});
                default -> {} // Gone.
            }
        }
        return other.toByteArray();
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
