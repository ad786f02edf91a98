package dev.ledger.app.testing;

import dev.ledger.app.security.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The API keys of every test ledger. */
public enum Key {
    ALPHA("alpha", EnumSet.allOf(Role.class)),
    ALPHA_READER("alpha", EnumSet.of(Role.READER)),
    ALPHA_WRITER("alpha", EnumSet.of(Role.WRITER)),
    ALPHA_OPERATOR("alpha", EnumSet.of(Role.OPERATOR)),
    ALPHA_ADMIN("alpha", EnumSet.of(Role.ADMIN)),
    /** Whatever concerns its own tenant. */
    BETA("beta", EnumSet.of(Role.WRITER, Role.READER, Role.OPERATOR)),
    GAMMA("gamma", EnumSet.allOf(Role.class));

    private final String tenant;
    private final Set<Role> roles;

    Key(String tenant, Set<Role> roles) {
        this.tenant = tenant;
        this.roles = roles;
    }

    public String tenant() {
        return tenant;
    }

    /** What the caller sends; unlike anything else that could be in a log. */
    public String secret() {
        return "secret-of-" + name() + "-0123456789";
    }

    /** What an operator would give on the command line to let all of them in. */
    public static List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        for (Key key : values()) {
            String property = "--ledger.security.api-keys[" + key.ordinal() + "].";
            arguments.addAll(Arrays.asList(
                    property + "name=" + key.name().toLowerCase().replace('_', '-'),
                    property + "key=" + key.secret(),
                    property + "tenant=" + key.tenant(),
                    property + "roles=" + key.roles.stream().map(Role::name).collect(Collectors.joining(","))));
        }
        return arguments;
    }
}
