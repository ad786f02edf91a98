package dev.ledger.app.projection;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How read models are kept up to date.
 *
 * @param processor pooled, or tracking with a thread for each segment
 * @param batchSize events in one transaction at most
 * @param segments shares of the accounts that are worked on in parallel; fixed when a processor first runs
 */
@Validated
@ConfigurationProperties("ledger.projections")
public record ProjectionProperties(
        @DefaultValue("pooled") Processor processor,
        @DefaultValue("1000") @Min(1) @Max(10_000) int batchSize,
        @DefaultValue("2") @Min(1) @Max(64) int segments) {

    /** Axon's two kinds of streaming processors. */
    public enum Processor {
        POOLED,
        TRACKING
    }
}
