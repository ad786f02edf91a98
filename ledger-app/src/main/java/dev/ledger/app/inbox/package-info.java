/**
 * What arrives from outside: a message is delivered to a handler, takes effect once, and each delivery is on record.
 *
 * <p>What commits together, and nothing else: the inbox row with the stored result, what the handler wrote through the
 * application's data source, the events of the operation that it applied, and the records of the duplicates and conflicts
 * that were handled in the same group (C1, C8). A delivery whose transaction rolled back is recorded in a transaction of
 * its own, before the sender is answered (D3).
 */
@NullMarked
package dev.ledger.app.inbox;

import org.jspecify.annotations.NullMarked;
