/** Runs the projections: their processors, batches, segments and the interceptor that deduplicates. */
@NullMarked
package dev.ledger.app.projection;

import org.jspecify.annotations.NullMarked;
