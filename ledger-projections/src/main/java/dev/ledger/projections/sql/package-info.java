/** The statements that H2 and PostgreSQL spell differently; one class for each. */
@NullMarked
package dev.ledger.projections.sql;

import org.jspecify.annotations.NullMarked;
