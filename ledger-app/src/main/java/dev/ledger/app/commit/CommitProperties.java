package dev.ledger.app.commit;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How commands are grouped.
 *
 * @param partitions threads that decide, each for its share of the accounts and with a connection of its own
 * @param maxGroup commands in one commit at most
 * @param queueCapacity commands that may wait in one partition; a further one is answered with too-busy
 * @param cachedAccounts accounts whose balance and latest receipts are kept in memory at most
 * @param lockTimeout how long a command waits for another transaction that holds the same operation
 * @param recoveryTimeout how long to look for the result of a lost commit before the outcome is reported as unknown
 */
@Validated
@ConfigurationProperties("ledger.commit")
public record CommitProperties(
        @DefaultValue("2") @Min(1) @Max(64) int partitions,
        @DefaultValue("500") @Min(1) @Max(10_000) int maxGroup,
        @DefaultValue("10000") @Min(1) @Max(1_000_000) int queueCapacity,
        @DefaultValue("20000") @Min(0) int cachedAccounts,
        @DefaultValue("1s") @NotNull Duration lockTimeout,
        @DefaultValue("5s") @NotNull Duration recoveryTimeout) {}
