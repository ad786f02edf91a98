package dev.ledger.app.security;

import java.util.Set;

/** What a key stands for. The key itself is known to nobody but its owner. */
record ApiKey(String name, String tenant, Set<Role> roles, KeyHash hash) {}
