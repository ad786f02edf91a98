package dev.ledger.domain.balance;

/** Why an operation was refused. It left no receipt and no event; its id is free unless it is a conflict (B4). */
public sealed interface Rejection {

    /** The balance would become negative. */
    record InsufficientBalance(long balance, long delta) implements Rejection {}

    /** The balance would leave the range of 64 bits. */
    record BalanceOverflow(long balance, long delta) implements Rejection {}

    /** The id belongs to an operation with other content (A4). */
    record OperationConflict(Digest stored, Digest offered) implements Rejection {}
}
