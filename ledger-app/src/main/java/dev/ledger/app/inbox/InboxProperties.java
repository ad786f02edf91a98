package dev.ledger.app.inbox;

import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The limits of what senders may deliver.
 *
 * @param maxBody of one message, 1 KB to 1 MB; a larger one is answered with payload-too-large
 * @param answerTimeout how long a sender waits for a commit before the outcome is reported as unknown
 */
@Validated
@ConfigurationProperties("ledger.inbox")
public record InboxProperties(
        @DefaultValue("256KB") @NotNull DataSize maxBody,
        @DefaultValue("30s") @NotNull Duration answerTimeout) {

    /** The most that the tables hold. */
    private static final DataSize LARGEST = DataSize.ofMegabytes(1);

    @AssertTrue(message = "max-body must be from 1KB to 1MB")
    public boolean isMaxBodyInRange() {
        return maxBody.toKilobytes() >= 1 && maxBody.compareTo(LARGEST) <= 0;
    }
}
