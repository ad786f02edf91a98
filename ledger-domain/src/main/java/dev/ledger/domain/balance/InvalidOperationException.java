package dev.ledger.domain.balance;

/** A value that no operation may carry: the caller's mistake, refused before anything is looked up or stored. */
public final class InvalidOperationException extends IllegalArgumentException {

    private final String field;

    /**
     * @param field the member at fault, as the caller wrote it
     * @param reason what is wrong with it; never the value itself, which may be secret
     */
    public InvalidOperationException(String field, String reason) {
        super(field + " " + reason);
        this.field = field;
    }

    public String field() {
        return field;
    }
}
