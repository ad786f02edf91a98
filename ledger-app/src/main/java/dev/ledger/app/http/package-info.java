/** HTTP in, HTTP out: reads what callers send strictly, hands it to the command bus, writes receipts and problems. */
@NullMarked
package dev.ledger.app.http;

import org.jspecify.annotations.NullMarked;
