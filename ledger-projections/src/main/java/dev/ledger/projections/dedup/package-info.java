/** Keeps an event from taking effect twice in one handler, whoever delivers it again. */
@NullMarked
package dev.ledger.projections.dedup;

import org.jspecify.annotations.NullMarked;
