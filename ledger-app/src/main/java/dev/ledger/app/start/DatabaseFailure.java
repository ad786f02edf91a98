package dev.ledger.app.start;

import java.sql.SQLException;
import org.h2.api.ErrorCode;

/** Why a first connection failed, as far as an operator can do something about it. */
enum DatabaseFailure {
    IN_USE(
            "The database file is in use by another process.",
            "stop the other ledger, give this one a folder of its own, or let both use a PostgreSQL."),
    FILE_NOT_USABLE(
            "The database file cannot be read or written.",
            "let the folder and its files belong to the user that the ledger runs as, or name another place in"
                    + " spring.datasource.url."),
    UNREACHABLE(
            "The database server cannot be reached.",
            "start it, or correct host and port in spring.datasource.url; ledger.start.wait-for-database says how long a"
                    + " server is waited for."),
    WRONG_PASSWORD(
            "The database does not take this user and password.",
            "correct spring.datasource.username and spring.datasource.password."),
    NO_SUCH_DATABASE(
            "The database does not exist on its server.",
            "create it (createdb), or correct the name in spring.datasource.url."),
    OTHER("The database refuses the first connection.", "see the reason above.");

    private final String what;
    private final String remedy;

    DatabaseFailure(String what, String remedy) {
        this.what = what;
        this.remedy = remedy;
    }

    String what() {
        return what;
    }

    String remedy() {
        return remedy;
    }

    /** Whether time alone may mend it. */
    boolean mayPass() {
        return this == UNREACHABLE;
    }

    static DatabaseFailure of(String url, SQLException failure) {
        return url.startsWith("jdbc:h2:") ? ofH2(failure.getErrorCode()) : ofPostgres(failure.getSQLState());
    }

    private static DatabaseFailure ofH2(int code) {
        return switch (code) {
            case ErrorCode.DATABASE_ALREADY_OPEN_1 -> IN_USE;
            case ErrorCode.FILE_CREATION_FAILED_1,
                    ErrorCode.ERROR_OPENING_DATABASE_1,
                    ErrorCode.IO_EXCEPTION_1,
                    ErrorCode.IO_EXCEPTION_2 -> FILE_NOT_USABLE;
            case ErrorCode.WRONG_USER_OR_PASSWORD -> WRONG_PASSWORD;
            default -> OTHER;
        };
    }

    private static DatabaseFailure ofPostgres(String state) {
        if (state == null) {
            return OTHER;
        }
        return switch (state) {
            case "28P01", "28000" -> WRONG_PASSWORD;
            case "3D000" -> NO_SUCH_DATABASE;
            // It is starting, stopping, or full of other clients.
            case "57P01", "57P02", "57P03", "53300" -> UNREACHABLE;
            default -> state.startsWith("08") ? UNREACHABLE : OTHER;
        };
    }
}
