package dev.ledger.app.problem;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A problem document (RFC 9457).
 *
 * @param code the stable name of the problem, also the end of its type
 * @param status of the HTTP answer
 * @param detail for people; never holds a key, a body or stored content
 * @param retryAfterSeconds 0 if coming back would change nothing
 * @param members further facts of this problem
 */
public record Problem(String code, int status, String detail, int retryAfterSeconds, Map<String, Object> members) {

    public static final String MEDIA_TYPE = "application/problem+json";

    public static Problem of(String code, int status, String detail) {
        return new Problem(code, status, detail, 0, Map.of());
    }

    public static Problem invalidRequest(String field, String detail) {
        return of("invalid-request", 400, detail).with("field", field);
    }

    public static Problem invalidRequest(String detail) {
        return of("invalid-request", 400, detail);
    }

    public static Problem notFound() {
        return of("not-found", 404, "there is no such thing");
    }

    public static Problem forbidden() {
        return of("forbidden", 403, "this key or token may not do that");
    }

    /** A read model that is not yet what the events say; nothing may be told of it that is not true (K46). */
    public static Problem projectionBehind(String detail) {
        return of("projection-behind", 503, detail).retryAfter(1);
    }

    /** Whatever came was cut by the stop, or may have been: nobody can say that it was bad. */
    public static Problem stopping() {
        return of("too-busy", 503, "the ledger is stopping; nothing was applied")
                .retryAfter(1);
    }

    public static Problem payloadTooLarge(String what, long limitBytes) {
        return of("payload-too-large", 413, what + " may have at most " + limitBytes + " bytes");
    }

    public static Problem internalError() {
        return of("internal-error", 500, "the ledger failed; its log says why");
    }

    public Problem with(String member, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(members);
        more.put(member, value);
        return new Problem(code, status, detail, retryAfterSeconds, more);
    }

    public Problem retryAfter(int seconds) {
        return new Problem(code, status, detail, seconds, members);
    }

    public Problem withStatus(int other) {
        return new Problem(code, other, detail, retryAfterSeconds, members);
    }

    /** Its JSON members, in order. */
    public Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type", "urn:ledger:problem:" + code);
        document.put("title", code.replace('-', ' '));
        document.put("status", status);
        document.put("detail", detail);
        document.put("code", code);
        document.putAll(members);
        return document;
    }
}
