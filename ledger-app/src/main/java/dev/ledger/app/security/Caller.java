package dev.ledger.app.security;

import java.security.Principal;

/**
 * An authenticated caller.
 *
 * @param tenant whose accounts the caller may see; the only place where a tenant comes from
 * @param name of the key or the token's subject, for logs and for the record of who did what
 */
public record Caller(String tenant, String name) implements Principal {

    @Override
    public String getName() {
        return name;
    }
}
