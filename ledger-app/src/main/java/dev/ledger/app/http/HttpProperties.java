package dev.ledger.app.http;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The limits of what callers may send.
 *
 * @param maxBody of one operation; a larger one is answered with payload-too-large
 * @param maxLine of one line of a batch, without its end; a longer one is a rejected line
 * @param batchWindow lines of one batch that may be on their way at once
 * @param answerTimeout how long a caller waits for a commit before the outcome is reported as unknown
 * @param atLeastTimeout how long a reader waits for a read model to catch up
 */
@Validated
@ConfigurationProperties("ledger.http")
public record HttpProperties(
        @DefaultValue("64KB") @NotNull DataSize maxBody,
        @DefaultValue("64KB") @NotNull DataSize maxLine,
        @DefaultValue("2000") @Min(1) @Max(100_000) int batchWindow,
        @DefaultValue("30s") @NotNull Duration answerTimeout,
        @DefaultValue("5s") @NotNull Duration atLeastTimeout) {}
