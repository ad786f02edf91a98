/** The figures of docs/performance.md: every contender in one run, in turn, on one PostgreSQL. */
@NullMarked
package dev.ledger.benchmarks;

import org.jspecify.annotations.NullMarked;
