package dev.ledger.domain.balance;

/** What every event of the ledger says of itself, so that a consumer can tell a duplicate from a conflict (A4, A5). */
public interface LedgerEvent {

    /** Whose event it is; trusted, since the ledger itself wrote it. */
    String tenant();

    /** The digest of its canonical content, with its algorithm. */
    String digest();
}
