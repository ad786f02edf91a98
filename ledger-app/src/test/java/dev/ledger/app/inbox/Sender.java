package dev.ledger.app.inbox;

import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.LedgerClient;
import dev.ledger.app.testing.RunningLedger;
import java.nio.charset.StandardCharsets;

/** Someone who sends CloudEvents to one tenant's inbox. */
final class Sender {

    private final LedgerClient client;

    Sender(RunningLedger ledger, Key key) {
        this.client = ledger.client(key);
    }

    /** A structured event with everything that is required. */
    static String event(String id, String type, String data) {
        return """
                {"specversion":"1.0","id":"%s","source":"/shop","type":"%s","data":%s}""".formatted(id, type, data);
    }

    static String orderPaid(String id, String customer, long points) {
        return event(id, "order.paid", "{\"customer\":\"" + customer + "\",\"points\":" + points + "}");
    }

    Answer structured(String handler, String event) {
        return structured(handler, event.getBytes(StandardCharsets.UTF_8));
    }

    Answer structured(String handler, byte[] event) {
        return send(handler, event, "Content-Type", "application/cloudevents+json");
    }

    /** @param headers names and values in turn */
    Answer send(String handler, byte[] body, String... headers) {
        return client.send("POST", "/v1/inbox/" + handler, body, headers);
    }

    LedgerClient client() {
        return client;
    }
}
