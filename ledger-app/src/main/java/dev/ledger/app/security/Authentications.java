package dev.ledger.app.security;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.ledger.domain.balance.Identifiers;
import dev.ledger.domain.balance.InvalidOperationException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/** Turns a bearer token into a {@link Caller}: first as an API key, then as a JWT if a decoder is configured. */
final class Authentications implements AuthenticationManager {

    private static final String UNKNOWN = "the token is not known";

    private final ApiKeys keys;
    private final @Nullable JwtDecoder decoder;

    Authentications(ApiKeys keys, @Nullable JwtDecoder decoder) {
        this.keys = keys;
        this.decoder = decoder;
    }

    @Override
    public Authentication authenticate(Authentication presented) {
        String token = ((BearerTokenAuthenticationToken) presented).getToken();
        Optional<ApiKey> key = keys.find(token);
        if (key.isPresent()) {
            return authenticated(
                    new Caller(key.get().tenant(), key.get().name(), key.get().roles()));
        }
        if (decoder == null) {
            throw new InvalidBearerTokenException(UNKNOWN);
        }
        try {
            return ofJwt(decoder.decode(token));
        } catch (JwtException | InvalidOperationException e) {
            throw new InvalidBearerTokenException(UNKNOWN, e);
        }
    }

    private static Authentication ofJwt(Jwt jwt) {
        String tenant = jwt.getClaimAsString("tenant");
        if (tenant == null) {
            throw new InvalidBearerTokenException("the token names no tenant");
        }
        List<String> granted = scopes(jwt.getClaim("scope"));
        Set<Role> roles = Arrays.stream(Role.values())
                .filter(role -> granted.contains(role.scope()))
                .collect(toUnmodifiableSet());
        String subject = jwt.getSubject() == null ? "jwt" : jwt.getSubject();
        return authenticated(new Caller(Identifiers.require("tenant", tenant), subject, roles));
    }

    /** One string with blanks between, as RFC 9068 has it, or a list, as some servers write it. */
    private static List<String> scopes(@Nullable Object claim) {
        if (claim instanceof Collection<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        return claim == null ? List.of() : Arrays.asList(String.valueOf(claim).split(" "));
    }

    private static Authentication authenticated(Caller caller) {
        return UsernamePasswordAuthenticationToken.authenticated(
                caller,
                null,
                caller.roles().stream()
                        .map(role -> new SimpleGrantedAuthority(role.authority()))
                        .toList());
    }
}
