/** Files and folders that are nobody's business but the ledger's. */
@NullMarked
package dev.ledger.app.files;

import org.jspecify.annotations.NullMarked;
