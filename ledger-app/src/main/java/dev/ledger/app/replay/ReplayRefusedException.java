package dev.ledger.app.replay;

/** A replay that cannot be started now; nothing has changed. */
public final class ReplayRefusedException extends RuntimeException {

    private final String code;

    /**
     * @param code the stable name of the problem
     */
    ReplayRefusedException(String code, String message) {
        super(message);
        this.code = code;
    }

    public String code() {
        return code;
    }
}
