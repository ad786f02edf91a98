/** The write path under fire: many callers, several instances, failing commits, killed processes and databases. */
package dev.ledger.app.fire;
