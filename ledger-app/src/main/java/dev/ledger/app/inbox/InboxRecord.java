package dev.ledger.app.inbox;

import java.time.Instant;

/**
 * A message that was handled. There is no record of one that is being handled: it appears with the commit, complete, and
 * so nothing is left of a delivery that failed or crashed (K33, K34).
 *
 * @param result JSON
 * @param recordedAt in microseconds
 */
record InboxRecord(InboxKey key, String digest, String handlerVersion, String result, Instant recordedAt) {}
