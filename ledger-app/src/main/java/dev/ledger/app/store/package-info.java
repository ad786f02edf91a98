/**
 * The event store: Axon's JDBC engine with this ledger's table, its derived event identities, and reads that stay short
 * however long a history is.
 */
@NullMarked
package dev.ledger.app.store;

import org.jspecify.annotations.NullMarked;
