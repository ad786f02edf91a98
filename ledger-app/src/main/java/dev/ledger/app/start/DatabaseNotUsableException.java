package dev.ledger.app.start;

import java.sql.SQLException;

/** The first connection could not be made. */
final class DatabaseNotUsableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String place;
    private final SQLException failure;

    /** @param url without what follows the place: parameters may hold a password */
    DatabaseNotUsableException(String url, SQLException failure) {
        super("the database cannot be used: " + failure.getMessage(), failure);
        this.place = url.split("[;?]", 2)[0];
        this.failure = failure;
    }

    String place() {
        return place;
    }

    SQLException failure() {
        return failure;
    }
}
