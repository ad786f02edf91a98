/**
 * Replay as a controlled job: a row that says what is to be rebuilt, who asked for it, and what became of it.
 *
 * <p>What there is now: {@code rebuild} of the read models. Other instances let go of a processor while it is reset.
 */
@NullMarked
package dev.ledger.app.replay;

import org.jspecify.annotations.NullMarked;
