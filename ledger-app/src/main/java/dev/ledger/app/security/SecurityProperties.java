package dev.ledger.app.security;

import dev.ledger.domain.balance.Identifiers;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Who may call.
 *
 * @param apiKeys keys that are known by configuration; with none, and none stored, the first start makes one
 * @param initialKeyFile where the first start writes the key that it makes, readable by its owner only
 */
@Validated
@ConfigurationProperties("ledger.security")
public record SecurityProperties(
        @DefaultValue List<@Valid ApiKeyProperties> apiKeys,
        @DefaultValue("data/initial-key") String initialKeyFile) {

    /**
     * @param name for logs and records; unique
     * @param key what the caller sends; at least 16 characters, kept as a hash only
     * @param tenant whose accounts the key opens
     * @param roles what the caller may do
     */
    public record ApiKeyProperties(
            @Pattern(regexp = Identifiers.PATTERN) String name,
            @Size(min = 16, max = 512) String key,
            @Pattern(regexp = Identifiers.PATTERN) String tenant,
            @NotEmpty Set<Role> roles) {

        /** The key itself is never printed. */
        @Override
        public String toString() {
            return "ApiKeyProperties[name=" + name + ", tenant=" + tenant + ", roles=" + roles + "]";
        }
    }
}
