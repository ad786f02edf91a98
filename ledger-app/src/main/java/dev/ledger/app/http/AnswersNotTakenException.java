package dev.ledger.app.http;

import java.io.IOException;
import java.time.Duration;

/** The caller has been cut, since it took no answer for as long as a batch waits for that. */
final class AnswersNotTakenException extends IOException {

    private static final long serialVersionUID = 1L;

    AnswersNotTakenException(Duration timeout) {
        super("no answer was taken for " + timeout);
    }
}
