package dev.ledger.app.security;

/** What a caller may do. */
public enum Role {
    /** Apply operations and deliver messages. JWT scope {@code ledger.write}. */
    WRITER("ledger.write"),

    /** Read balances, statements and receipts. JWT scope {@code ledger.read}. */
    READER("ledger.read"),

    /** See and do what concerns the own tenant: its replays, dead letters, destinations. JWT scope {@code ledger.operate}. */
    OPERATOR("ledger.operate"),

    /** See and do what concerns the ledger as a whole: rebuilds, processors, retention. JWT scope {@code ledger.admin}. */
    ADMIN("ledger.admin");

    private final String scope;

    Role(String scope) {
        this.scope = scope;
    }

    String scope() {
        return scope;
    }

    String authority() {
        return "ROLE_" + name();
    }
}
