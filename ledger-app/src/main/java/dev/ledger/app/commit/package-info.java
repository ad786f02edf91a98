/**
 * The way of a command: into the queue of its account's partition, together with others into one unit of work and one
 * commit, and back with an outcome of its own.
 */
@NullMarked
package dev.ledger.app.commit;

import org.jspecify.annotations.NullMarked;
