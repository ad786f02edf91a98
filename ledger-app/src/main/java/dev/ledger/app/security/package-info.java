/** Who is calling, for which tenant, and what they may do. The tenant is never taken from a path or a body (A7). */
@NullMarked
package dev.ledger.app.security;

import org.jspecify.annotations.NullMarked;
