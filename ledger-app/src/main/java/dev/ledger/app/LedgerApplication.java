package dev.ledger.app;

import dev.ledger.app.start.CommandLine;
import org.axonframework.springboot.autoconfig.JpaAutoConfiguration;
import org.axonframework.springboot.autoconfig.JpaEventStoreAutoConfiguration;
import org.axonframework.springboot.autoconfig.UpdateCheckerAutoConfiguration;
import org.axonframework.springboot.autoconfig.XStreamAutoConfiguration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/**
 * Starts a ledger. Axon's JPA stores are left out: its tables are written in batches, through JDBC. So is Spring's page
 * for errors: every error is a problem document.
 */
@SpringBootApplication(
        exclude = {
            JpaAutoConfiguration.class,
            JpaEventStoreAutoConfiguration.class,
            XStreamAutoConfiguration.class,
            UpdateCheckerAutoConfiguration.class,
            UserDetailsServiceAutoConfiguration.class,
            ErrorMvcAutoConfiguration.class
        })
@ConfigurationPropertiesScan
@EntityScan("dev.ledger.projections")
@EnableJpaRepositories("dev.ledger.projections")
public class LedgerApplication {

    static {
        // Axon would ask a host on the internet for updates. A ledger calls nobody.
        System.setProperty("axoniq.update-checker.disabled", "true");
        System.setProperty("disable-axoniq-console-message", "true");
    }

    public static void main(String[] arguments) {
        if (CommandLine.answers(arguments, System.out)) {
            return;
        }
        SpringApplication.run(LedgerApplication.class, arguments);
    }
}
