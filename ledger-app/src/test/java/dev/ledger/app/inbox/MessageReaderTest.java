package dev.ledger.app.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ledger.domain.balance.InvalidOperationException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is one content and what is another, and what is no message at all. */
class MessageReaderTest {

    private static final String BASE = """
            {"specversion":"1.0","id":"e-1","source":"/shop","type":"order.paid","subject":"o-1",\
            "time":"2026-01-31T09:30:00Z","data":{"customer":"c-1","points":100}}""";

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Another order of members, white space and escapes.
                """
                {"type":"order.paid", "data":{"points":100, "customer":"\\u0063-1"}, "subject":"o-1",
                 "time":"2026-01-31T09:30:00Z","id":"e-1","source":"/shop","specversion":"1.0"}""",
                // The same instant, the same number, the default media type, what tracing adds.
                """
                {"specversion":"1.0","id":"e-1","source":"/shop","type":"order.paid","subject":"o-1",\
                "time":"2026-01-31T11:30:00.000+02:00","datacontenttype":"application/json; charset=utf-8",\
                "traceparent":"00-1","correlationid":"story","data":{"customer":"c-1","points":1e2}}""",
                // Data as bytes.
                """
                {"specversion":"1.0","id":"e-1","source":"/shop","type":"order.paid","subject":"o-1",\
                "time":"2026-01-31T09:30:00Z","data_base64":"eyJjdXN0b21lciI6ImMtMSIsInBvaW50cyI6MTAwfQ=="}"""
            })
    void transportMakesNoDifference(String event) {
        assertThat(digest(event)).isEqualTo(digest(BASE));
    }

    /** A3: whatever characters an id has, none of them is the one between the parts of what is derived. */
    @Test
    void operationIdsOfDifferentMessagesNeverMeet() {
        Set<String> operations = new HashSet<>();
        List<String> parts =
                List.of("a", "a+b", "a@b", "a=b", "a~b", "a+b=c", "a+", "+a", "=", "==", "~", "@", "+", "b=c");
        for (String tenant : parts) {
            for (String handler : parts) {
                for (String id : parts) {
                    assertThat(operations.add(InboxMessage.operationId(tenant, handler, id)))
                            .as("%s %s %s", tenant, handler, id)
                            .isTrue();
                }
            }
        }
        assertThat(operations).allMatch(id -> id.matches("[0-9a-f-]{36}"));
    }

    @Test
    void theModeMakesNoDifference() {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("CE-SpecVersion", List.of("1.0"));
        headers.put("ce-id", List.of("e-1"));
        headers.put("ce-source", List.of("/shop"));
        headers.put("ce-type", List.of("order.paid"));
        headers.put("ce-subject", List.of("%6f-1"));
        headers.put("ce-time", List.of("2026-01-31T09:30:00Z"));
        headers.put("Content-Type", List.of("application/json"));

        InboxMessage message =
                HttpMessageReader.read("t", headers, bytes("{\"points\":100,\"customer\":\"c-1\"}"), null);

        assertThat(message.digest().text()).isEqualTo(digest(BASE));
        assertThat(message.subject()).isEqualTo("o-1");
        assertThat(message.content()).isEqualTo("""
                        {"data":{"customer":"c-1","points":100},"datacontenttype":"application/json","source":"/shop",\
                        "subject":"o-1","time":"2026-01-31T09:30:00Z","type":"order.paid"}""");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"/shop\"|\"/shop/\"",
                "\"order.paid\"|\"order.Paid\"",
                "\"o-1\"|\"o-2\"",
                "09:30:00Z|09:30:00.000000001Z",
                "100|101",
                "100|\"100\"",
                "\"c-1\"|\"C-1\"",
                "\"c-1\"|\"c-1 \"",
                "\"points\"|\"point\"",
                "\"subject\":\"o-1\",|''",
            })
    void contentMakesADifference(String part, String other) {
        assertThat(digest(BASE.replace(part, other))).isNotEqualTo(digest(BASE));
    }

    @Test
    void unicodeIsComparedAsSent() {
        assertThat(digest(BASE.replace("c-1", "\u00e9"))).isNotEqualTo(digest(BASE.replace("c-1", "e\u0301")));
    }

    @Test
    void nullIsAbsent() {
        String bare = BASE.replaceFirst(",\"data\".*", "}");
        assertThat(digest(bare.replace("\"subject\":\"o-1\",", "")))
                .isEqualTo(digest(bare.replace("\"subject\":\"o-1\",", "\"subject\":null,")));
        assertThat(digest(bare.replaceFirst("}$", ",\"data\":null}"))).isEqualTo(digest(bare));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9007199254740992",
                "9007199254740993",
                "-9007199254740992",
                "123456789012345678901234567890",
                "0.1000000000000000055511151231257827",
                "1.00000000000000000001",
                "1e400",
                "1e-400"
            })
    void numbersThatWouldBeFoldedAreRefused(String number) {
        assertRefused(BASE.replace("100", number), "body");
    }

    @ParameterizedTest
    @CsvSource({
        "9007199254740991, 9007199254740991",
        "-9007199254740991, -9007199254740991",
        "-0, 0",
        "0.10, 0.1",
        "1E2, 100",
        "0.30000000000000004, 0.30000000000000004",
        "2e23, 2e+23",
        "5e-324, 5e-324",
        "1.7976931348623157e308, 1.7976931348623157e+308"
    })
    void numbersThatADoubleHasAreKept(String number, String canonical) {
        assertThat(read(BASE.replace("100", number)).content()).contains("\"points\":" + canonical + "}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"id\":\"e-1\"|\"id\":\"e-1\",\"id\":\"e-2\"|body",
                "\"customer\":\"c-1\"|\"customer\":\"c-1\",\"\\u0063ustomer\":\"c-2\"|body",
                "c-1|\\ud800|body",
                "c-1|\\u0000|body",
                "100|01|body",
                "100|NaN|body",
                "100}}|100}}{}|body",
                "\"id\":\"e-1\",|''|id",
                "\"id\":\"e-1\",|\"id\":\"\",|id",
                "\"id\":\"e-1\",|\"id\":\"e 1\",|id",
                "\"id\":\"e-1\",|\"id\":\"e/1\",|id",
                "\"source\":\"/shop\",|''|source",
                "\"specversion\":\"1.0\",|''|specversion",
                "\"1.0\"|\"0.3\"|specversion",
                "\"1.0\"|\"2.0\"|specversion",
                "2026-01-31T|2026-02-31T|time",
                "\"subject\":\"o-1\",|\"correlationid\":\"a b\",|correlationid",
                "\"subject\":\"o-1\",|\"causationid\":\"\",|causationid"
            })
    void whatTwoReadersCouldReadDifferentlyIsRefused(String part, String other, String field) {
        assertRefused(BASE.replace(part, other), field);
    }

    @Test
    void anIdHasAtMost128Characters() {
        assertThat(read(BASE.replace("e-1", "x".repeat(128))).id()).hasSize(128);
        assertRefused(BASE.replace("e-1", "x".repeat(129)), "id");
    }

    @Test
    void nestingHasALimit() {
        assertThat(read(BASE.replace("100", "[".repeat(50) + "]".repeat(50))).data())
                .isNotNull();
        assertRefused(BASE.replace("100", "[".repeat(50_000) + "]".repeat(50_000)), "body");
    }

    @Test
    void aHeaderThatComesTwiceIsRefused() {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("ce-specversion", List.of("1.0"));
        headers.put("ce-id", List.of("e-1", "e-2"));

        assertThatExceptionOfType(InvalidOperationException.class)
                .isThrownBy(() -> HttpMessageReader.read("t", headers, new byte[0], null))
                .satisfies(failure -> assertThat(failure.field()).isEqualTo("ce-id"));
    }

    @Test
    void onlyJsonDataIsTaken() {
        assertThatExceptionOfType(UnsupportedDataException.class)
                .isThrownBy(() ->
                        read(BASE.replaceFirst("\"data\".*", "\"datacontenttype\":\"text/plain\",\"data\":\"100\"}")));
        assertRefused(BASE.replace("\"data\"", "\"datacontenttype\":\"text/plain\",\"data\""), "data");
        assertThatExceptionOfType(UnsupportedDataException.class)
                .isThrownBy(() -> HttpMessageReader.read(
                        "t", Map.of("content-type", List.of("application/cloudevents-batch+json")), bytes("[]"), null));
    }

    private static String digest(String event) {
        return read(event).digest().text();
    }

    private static InboxMessage read(String event) {
        return HttpMessageReader.read(
                "t", Map.of("Content-Type", List.of("application/cloudevents+json")), bytes(event), null);
    }

    private static void assertRefused(String event, String field) {
        assertThatExceptionOfType(InvalidOperationException.class)
                .isThrownBy(() -> read(event))
                .satisfies(failure -> assertThat(failure.field()).isEqualTo(field));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
