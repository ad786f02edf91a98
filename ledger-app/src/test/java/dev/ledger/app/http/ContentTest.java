package dev.ledger.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.OnBothDatabases;
import dev.ledger.app.testing.RunningLedger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which writings are the same content, and which are not (contract, Operations; K22). */
@OnBothDatabases
class ContentTest {

    private final RunningLedger ledger;
    private final LedgerClient alpha;

    ContentTest(RunningLedger ledger) {
        this.ledger = ledger;
        this.alpha = ledger.client(Key.ALPHA);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
        order-of-members       | {"delta":5,"memo":"m"}                          | {"memo":"m","delta":5}
        order-of-attributes    | {"delta":5,"attributes":{"a":"1","b":"2"}}      | {"delta":5,"attributes":{"b":"2","a":"1"}}
        white-space            | {"delta":5}                                     | { "delta"\\t:  5 }
        string-of-digits       | {"delta":5}                                     | {"delta":"5"}
        negative-string        | {"delta":0}                                     | {"delta":"0"}
        minus-zero             | {"delta":0}                                     | {"delta":-0}
        offset-of-time         | {"delta":5,"occurredAt":"2026-01-01T00:00:00Z"} | {"delta":5,"occurredAt":"2026-01-01T02:00:00+02:00"}
        digits-of-a-second     | {"delta":5,"occurredAt":"2026-01-01T00:00:00Z"} | {"delta":5,"occurredAt":"2026-01-01T00:00:00.000000000Z"}
        absent-and-null        | {"delta":5}                                     | {"delta":5,"memo":null,"occurredAt":null,"causedBy":null,"attributes":null}
        absent-and-no-attribute| {"delta":5}                                     | {"delta":5,"attributes":{}}
        escaped-text           | {"delta":5,"memo":"é/"}                         | {"delta":5,"memo":"\\u00e9\\/"}
        escaped-pair           | {"delta":5,"memo":"😀"}                         | {"delta":5,"memo":"\\ud83d\\uDE00"}
        2-to-the-53rd          | {"delta":9007199254740992}                      | {"delta":"9007199254740992"}
        the-largest            | {"delta":9223372036854775807}                   | {"delta":"9223372036854775807"}
        """)
    void writtenOtherwiseItIsTheSameContent(String name, String body, String same) {
        Answer first = alpha.put("same-" + name, "same-" + name, body).hasStatus(201);

        Answer second = alpha.put("same-" + name, "same-" + name, same.replace("\\t", "\t"));

        assertThat(second.hasStatus(200).body()).isEqualTo(first.body());
        assertThat(ledger.storedOperations(Key.ALPHA, "same-" + name)).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
        above-2-to-the-53rd  | {"delta":9007199254740992}                      | {"delta":9007199254740993}
        below-the-largest    | {"delta":9223372036854775807}                   | {"delta":9223372036854775806}
        two-forms-of-e-acute | {"delta":5,"memo":"\\u00e9"}                    | {"delta":5,"memo":"e\\u0301"}
        full-width           | {"delta":5,"memo":"a"}                          | {"delta":5,"memo":"\\uff41"}
        upper-case           | {"delta":5,"memo":"a"}                          | {"delta":5,"memo":"A"}
        trailing-blank       | {"delta":5,"memo":"a"}                          | {"delta":5,"memo":"a "}
        absent-and-empty     | {"delta":5}                                     | {"delta":5,"memo":""}
        nanosecond           | {"delta":5,"occurredAt":"2026-01-01T00:00:00Z"} | {"delta":5,"occurredAt":"2026-01-01T00:00:00.000000001Z"}
        cause                | {"delta":5,"causedBy":"a"}                      | {"delta":5,"causedBy":"b"}
        attribute            | {"delta":5,"attributes":{"a":"1"}}              | {"delta":5,"attributes":{"a":"2"}}
        empty-attribute      | {"delta":5}                                     | {"delta":5,"attributes":{"":""}}
        moved-quotes         | {"delta":5,"attributes":{"a":"1","b":"2"}}      | {"delta":5,"attributes":{"a":"1\\",\\"b\\":\\"2"}}
        """)
    void anotherContentUnderTheSameIdIsAConflict(String name, String body, String other) {
        alpha.put("other-" + name, "other-" + name, body).hasStatus(201);

        alpha.put("other-" + name, "other-" + name, other).isProblem(409, "operation-conflict");

        assertThat(ledger.storedOperations(Key.ALPHA, "other-" + name)).isEqualTo(1);
    }

    /** The statement is written from the read model, not from the request: it must show the same bytes. */
    @Test
    void unusualTextComesBackAsItWasSent() {
        Answer receipt = alpha.put("text", "text-1", """
                {"delta":5,"memo":"\\u0001\\t\\"\\\\\\u007f\\u0085\\u2028e\\u0301\\ud83d\\ude00 ",
                 "occurredAt":"2026-01-01T00:00:00.123456789Z",
                 "attributes":{"":"empty","\\ufffd":"\\ud83d\\ude00"}}""").hasStatus(201);

        assertThat(receipt.json().path("memo").asString())
                .isEqualTo("\u0001\t\"\\\u007f\u0085\u2028e\u0301\ud83d\ude00 ");
        assertThat(receipt.json().path("occurredAt").asString()).isEqualTo("2026-01-01T00:00:00.123456789Z");
        assertThat(alpha.receipt("text", "text-1").body()).isEqualTo(receipt.body());
        await().untilAsserted(() ->
                assertThat(alpha.get("/v1/accounts/text/operations").text()).contains(receipt.text()));
    }
}
