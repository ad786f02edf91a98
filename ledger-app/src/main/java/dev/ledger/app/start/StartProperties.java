package dev.ledger.app.start;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How a ledger starts.
 *
 * @param waitForDatabase how long a database server that cannot be reached, or is starting itself, is waited for; zero for
 *     one attempt. A wrong password or a database that does not exist is not waited for
 */
@ConfigurationProperties("ledger.start")
public record StartProperties(@DefaultValue("30s") Duration waitForDatabase) {

    public StartProperties {
        if (waitForDatabase.isNegative()) {
            throw new IllegalArgumentException("wait-for-database must not be negative");
        }
    }
}
