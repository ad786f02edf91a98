/** The first minute: what the command line answers, what a start prepares, and how one that fails says so. */
@NullMarked
package dev.ledger.app.start;

import org.jspecify.annotations.NullMarked;
