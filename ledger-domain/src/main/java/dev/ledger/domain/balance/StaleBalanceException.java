package dev.ledger.domain.balance;

/** Another instance went on with this account, or the store lost what is known here: load it again and decide again. */
public final class StaleBalanceException extends RuntimeException {

    public StaleBalanceException(String aggregateIdentifier, long known, long stored) {
        super("balance " + aggregateIdentifier + " was at sequence " + known + " here and is at " + stored);
    }
}
