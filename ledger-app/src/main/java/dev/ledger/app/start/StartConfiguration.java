package dev.ledger.app.start;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

@Configuration(proxyBeanMethods = false)
class StartConfiguration {

    /** Static and from the environment, since it has to be there before the pool is. */
    @Bean
    static FirstConnection firstConnection(Environment environment) {
        return new FirstConnection(Binder.get(environment)
                .bindOrCreate("ledger.start", StartProperties.class)
                .waitForDatabase());
    }
}
