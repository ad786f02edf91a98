package dev.ledger.projections.operation;

import java.time.Instant;
import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/**
 * Reads statements by keyset pages, and balances by time. Within an account, the order of time is the order of sequences:
 * the ledger never records an operation before the account's previous one.
 */
public interface AccountOperationRepository extends Repository<AccountOperation, AccountOperation.Key> {

    /**
     * A page of a statement.
     *
     * @param from the first instant that belongs to it
     * @param to the first instant that does not
     * @param afterTime with {@code afterSequence} the last line of the page before
     */
    @Query("select o from AccountOperation o where o.tenant = :tenant and o.account = :account"
            + " and o.recordedAt >= :from and o.recordedAt < :to and o.recordedAt >= :afterTime"
            + " and (o.recordedAt > :afterTime or o.sequence > :afterSequence) order by o.recordedAt, o.sequence")
    List<AccountOperation> findPage(
            String tenant,
            String account,
            Instant from,
            Instant to,
            Instant afterTime,
            long afterSequence,
            Limit limit);

    /** The latest operations that were recorded at or before an instant. */
    @Query("select o from AccountOperation o where o.tenant = :tenant and o.account = :account"
            + " and o.recordedAt <= :at order by o.recordedAt desc, o.sequence desc")
    List<AccountOperation> findLatest(String tenant, String account, Instant at, Limit limit);
}
