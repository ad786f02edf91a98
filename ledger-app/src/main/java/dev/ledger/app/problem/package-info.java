/** What went wrong, as every caller is told it (RFC 9457): known to whoever answers callers, and knowing none of them. */
@NullMarked
package dev.ledger.app.problem;

import org.jspecify.annotations.NullMarked;
