package dev.ledger.app.http;

import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class HttpConfiguration {

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsFromTomcat() {
        return factory -> factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(ProblemErrorReportValve.class.getName());
            }
        });
    }

    /** No path takes a form, so that asking for a parameter never reads a body. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> noForms() {
        return factory -> factory.addConnectorCustomizers(connector -> connector.setParseBodyMethods(""));
    }

    /** Batches keep their own time. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> connectionsOfCallers() {
        return factory -> {
            factory.setProtocol(LedgerProtocol.class.getName());
            factory.addContextValves(new CallerConnection.Valve());
        };
    }
}
