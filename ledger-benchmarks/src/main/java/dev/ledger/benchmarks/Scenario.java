package dev.ledger.benchmarks;

/** Which accounts the operations go to. Each operation has an id of its own and adds 1. */
enum Scenario {
    THOUSAND_ACCOUNTS("1,000 accounts", 1_000),
    ONE_HOT_ACCOUNT("one hot account", 1),
    MILLION_ACCOUNTS("1,000,000 accounts", 1_000_000);

    private final String title;
    private final int accounts;

    Scenario(String title, int accounts) {
        this.title = title;
        this.accounts = accounts;
    }

    String title() {
        return title;
    }

    /** Spreads consecutive operations over the accounts without ever favouring one. */
    String account(long operation) {
        return name() + "-" + Math.floorMod(operation * 7919, accounts);
    }
}
