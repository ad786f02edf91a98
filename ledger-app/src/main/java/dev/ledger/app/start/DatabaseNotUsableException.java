package dev.ledger.app.start;

import java.sql.SQLException;

/** The first connection could not be made. */
final class DatabaseNotUsableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String place;
    private final SQLException failure;

    DatabaseNotUsableException(String url, SQLException failure) {
        super("the database cannot be used: " + failure.getMessage(), failure);
        this.place = place(url);
        this.failure = failure;
    }

    /** A URL without what follows the place: parameters may hold a password. */
    static String place(String url) {
        return url.split("[;?]", 2)[0];
    }

    String place() {
        return place;
    }

    SQLException failure() {
        return failure;
    }
}
