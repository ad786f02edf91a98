/**
 * Read models that a replay rebuilds from events. They know the domain's events and nothing of the application.
 */
@NullMarked
package dev.ledger.projections;

import org.jspecify.annotations.NullMarked;
