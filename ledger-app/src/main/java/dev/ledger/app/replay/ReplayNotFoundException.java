package dev.ledger.app.replay;

/** There is no replay with this id. */
public final class ReplayNotFoundException extends RuntimeException {}
