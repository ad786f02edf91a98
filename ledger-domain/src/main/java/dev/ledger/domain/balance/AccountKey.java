package dev.ledger.domain.balance;

/**
 * One account of one tenant: what a balance belongs to.
 *
 * @param tenant from the authenticated principal or the consumer's configuration, never from a body (A7)
 * @param account the account's id within the tenant
 */
public record AccountKey(String tenant, String account) {

    public AccountKey {
        Identifiers.require("tenant", tenant);
        Identifiers.require("account", account);
    }

    /** The aggregate identifier. Neither part may hold a slash, so two keys never share one. */
    public String aggregateIdentifier() {
        return tenant + '/' + account;
    }

    @Override
    public String toString() {
        return aggregateIdentifier();
    }
}
