package dev.ledger.app.http;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
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
 * @param maxSpoolPerBatch answers of one batch that may wait on disk for a caller who does not take them yet; a batch with
 *     more is read no further
 * @param maxSpool the same of all batches of this instance together
 * @param takeTimeout how long a batch waits for a caller who takes no answers, once it can be read no further or has been
 *     read to its end; then the caller is cut
 * @param streamIdleTimeout how long a batch waits for the caller's next bytes; then the caller is cut
 * @param answerTimeout how long a caller waits for a commit before the outcome is reported as unknown
 * @param atLeastTimeout how long a reader waits for a read model to catch up
 */
@Validated
@ConfigurationProperties("ledger.http")
public record HttpProperties(
        @DefaultValue("64KB") @NotNull DataSize maxBody,
        @DefaultValue("64KB") @NotNull DataSize maxLine,
        @DefaultValue("2000") @Min(1) @Max(100_000) int batchWindow,
        @DefaultValue("256MB") @NotNull DataSize maxSpoolPerBatch,
        @DefaultValue("1GB") @NotNull DataSize maxSpool,

        @DefaultValue("1m") @NotNull @DurationMin(millis = 1)
        Duration takeTimeout,

        @DefaultValue("5m") @NotNull @DurationMin(millis = 1)
        Duration streamIdleTimeout,

        @DefaultValue("30s") @NotNull Duration answerTimeout,
        @DefaultValue("5s") @NotNull Duration atLeastTimeout) {

    public HttpProperties {
        if (maxSpoolPerBatch.isNegative() || maxSpool.isNegative()) {
            throw new IllegalArgumentException("ledger.http.max-spool and max-spool-per-batch must not be negative");
        }
    }
}
