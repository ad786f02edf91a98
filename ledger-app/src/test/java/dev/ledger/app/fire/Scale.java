package dev.ledger.app.fire;

/** How long the tests of this package fight: once for every build, longer with the profile {@code soak}. */
final class Scale {

    private static final int FACTOR = Integer.getInteger("fire.scale", 1);

    private Scale() {}

    /** @param rounds in an ordinary build */
    static int rounds(int rounds) {
        return rounds * FACTOR;
    }
}
