package dev.ledger.app.commit;

/** The database has no disk, memory or connection left: nothing was applied, the caller may come back. */
public final class StorageUnavailableException extends RuntimeException {

    public StorageUnavailableException(Throwable cause) {
        super("the database has run out of a resource; nothing was applied", cause);
    }
}
