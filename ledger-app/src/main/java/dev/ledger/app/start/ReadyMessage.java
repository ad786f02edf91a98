package dev.ledger.app.start;

import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** What somebody who has started a ledger needs next: where it is, where the key is, how to stop it. One log record. */
@Component
final class ReadyMessage {

    private static final Logger log = LoggerFactory.getLogger(ReadyMessage.class);

    private final Environment environment;

    ReadyMessage(Environment environment) {
        this.environment = environment;
    }

    @EventListener(ApplicationReadyEvent.class)
    void say() {
        log.info(
                "Ready\n  address  {}\n  key      {}\n  stop     Ctrl-C, or kill {}",
                address(),
                key(),
                ProcessHandle.current().pid());
    }

    private String address() {
        String scheme = environment.containsProperty("server.ssl.bundle")
                        || environment.containsProperty("server.ssl.key-store")
                ? "https"
                : "http";
        return scheme + "://" + environment.getProperty("server.address", "localhost") + ":"
                + environment.getProperty("local.server.port", "?");
    }

    /** Where it is, never what it is. */
    private String key() {
        Binder binder = Binder.get(environment);
        if (binder.bind("ledger.security.api-keys[0].name", String.class).isBound()) {
            return "as configured (ledger.security.api-keys)";
        }
        String file =
                binder.bind("ledger.security.initial-key-file", String.class).orElse("data/initial-key");
        return Files.exists(Path.of(file)) ? "in " + file : "the initial one; its file " + file + " is gone";
    }
}
