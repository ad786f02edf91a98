/**
 * One look at an operation: what happened, how often it was sent, and how often it was delivered (D1). It only reads.
 */
@NullMarked
package dev.ledger.app.trace;

import org.jspecify.annotations.NullMarked;
