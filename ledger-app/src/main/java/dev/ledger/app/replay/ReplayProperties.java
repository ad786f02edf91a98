package dev.ledger.app.replay;

import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How replays are watched.
 *
 * @param watchInterval how often an instance looks whether another one resets a processor, and whether a replay has caught
 *     up; 10 ms to 10 s, since a start waits 25 s for all instances to let go
 */
@Validated
@ConfigurationProperties("ledger.replay")
public record ReplayProperties(
        @DefaultValue("500ms") @NotNull @DurationMin(millis = 10) @DurationMax(seconds = 10)
        Duration watchInterval) {}
