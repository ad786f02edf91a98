package dev.ledger.app.commit;

import java.util.Optional;

/** A command whose handler changes an account in its own unit of work, so that the account is read ahead for it. */
public interface ChangesAccount {

    /** Of the account that it changes, if it changes one; the command is routed by it. */
    Optional<String> aggregateIdentifier();
}
