/** The real ledger, started in this JVM on a real database: what the tests, the crash tests and the benchmarks share. */
package dev.ledger.app.testing;
