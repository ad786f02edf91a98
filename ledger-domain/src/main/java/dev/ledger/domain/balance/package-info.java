/**
 * The rule of the ledger: one operation, one effect, one receipt.
 *
 * <p>{@link dev.ledger.domain.balance.Balance#decide} is the whole rule and knows no framework;
 * {@link dev.ledger.domain.balance.BalanceAggregate} is its Axon shell.
 */
@NullMarked
package dev.ledger.domain.balance;

import org.jspecify.annotations.NullMarked;
