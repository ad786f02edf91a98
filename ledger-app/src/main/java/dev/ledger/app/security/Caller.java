package dev.ledger.app.security;

import java.security.Principal;
import java.util.Set;

/**
 * An authenticated caller.
 *
 * @param tenant whose accounts the caller may see; the only place where a tenant comes from
 * @param name of the key or the token's subject, for logs and for the record of who did what
 * @param roles what the caller may do
 */
public record Caller(String tenant, String name, Set<Role> roles) implements Principal {

    public Caller {
        roles = Set.copyOf(roles);
    }

    public boolean is(Role role) {
        return roles.contains(role);
    }

    @Override
    public String getName() {
        return name;
    }
}
