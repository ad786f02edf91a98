/** The read model {@code account-operations}: each account's statement, which is also its history by time. */
@NullMarked
package dev.ledger.projections.operation;

import org.jspecify.annotations.NullMarked;
