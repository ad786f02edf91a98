/** The application: wires, listens and answers. Each package is named after what it does for the ledger. */
@NullMarked
package dev.ledger.app;

import org.jspecify.annotations.NullMarked;
