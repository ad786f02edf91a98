package dev.ledger.app.security;

import dev.ledger.app.problem.ProblemWriter;
import dev.ledger.app.start.LandingPage;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Every entry needs a key or a token, but for the two probes and the page at {@code /}. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    /** Read by GET and by HEAD, which tells no more. */
    private static final String[] TENANTS_OWN = {"/v1/accounts/**", "/v1/operations/**"};

    @Bean
    ApiKeys apiKeys(
            SecurityProperties properties,
            JdbcTemplate jdbc,
            PlatformTransactionManager transactions,
            Clock clock,
            @Value("${logging.structured.format.console:}") String structured) {
        return ApiKeys.load(properties, jdbc, new TransactionTemplate(transactions), clock, structured.isEmpty());
    }

    @Bean
    SecurityFilterChain filterChain(
            HttpSecurity http, ApiKeys keys, ObjectProvider<JwtDecoder> decoder, ProblemWriter problems)
            throws Exception {
        Authentications authentications = new Authentications(keys, decoder.getIfAvailable());
        return http.authorizeHttpRequests(
                        requests -> requests.requestMatchers("/actuator/health/liveness", "/actuator/health/readiness")
                                .permitAll()
                                .requestMatchers(LandingPage::isAsked)
                                .permitAll()
                                .requestMatchers(HttpMethod.PUT, "/v1/accounts/**")
                                .hasRole(Role.WRITER.name())
                                .requestMatchers(HttpMethod.POST, "/v1/accounts/**", "/v1/operations", "/v1/inbox/**")
                                .hasRole(Role.WRITER.name())
                                .requestMatchers(HttpMethod.GET, TENANTS_OWN)
                                .hasAnyRole(Role.READER.name(), Role.OPERATOR.name())
                                .requestMatchers(HttpMethod.HEAD, TENANTS_OWN)
                                .hasAnyRole(Role.READER.name(), Role.OPERATOR.name())
                                .requestMatchers(HttpMethod.GET, "/v1/handlers")
                                .hasAnyRole(Role.READER.name(), Role.OPERATOR.name(), Role.ADMIN.name())
                                .requestMatchers(HttpMethod.HEAD, "/v1/handlers")
                                .hasAnyRole(Role.READER.name(), Role.OPERATOR.name(), Role.ADMIN.name())
                                // Who sees and does what of them is a matter of whose job it is: see ReplayController.
                                .requestMatchers("/v1/**")
                                .hasAnyRole(Role.OPERATOR.name(), Role.ADMIN.name())
                                .anyRequest()
                                .authenticated())
                .oauth2ResourceServer(tokens -> tokens.authenticationManagerResolver(request -> authentications)
                        .authenticationEntryPoint(problems::unauthenticated)
                        .accessDeniedHandler(problems::forbidden))
                .exceptionHandling(failures -> failures.authenticationEntryPoint(problems::unauthenticated)
                        .accessDeniedHandler(problems::forbidden))
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // Nothing here is authorised by a cookie, so there is no request to forge.
                .csrf(AbstractHttpConfigurer::disable)
                .formLogin(AbstractHttpConfigurer::disable)
                .httpBasic(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .anonymous(anonymous -> {})
                .build();
    }

    /** A path that Spring's firewall refuses is bad input like any other. */
    @Bean
    RequestRejectedHandler requestRejectedHandler(ProblemWriter problems) {
        return problems::rejected;
    }
}
