/** The read model {@code account-balances}: what each account holds now. */
@NullMarked
package dev.ledger.projections.balance;

import org.jspecify.annotations.NullMarked;
