package dev.ledger.projections.operation;

import java.time.Instant;
import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.NativeQuery;
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
    @NativeQuery("select * from account_operation where tenant = :tenant and account = :account"
            + " and recorded_at >= :from and recorded_at < :to and recorded_at >= :afterTime"
            + " and (recorded_at > :afterTime or sequence > :afterSequence) order by recorded_at, sequence")
    List<AccountOperation> findPage(
            String tenant,
            String account,
            Instant from,
            Instant to,
            Instant afterTime,
            long afterSequence,
            Limit limit);

    /** The latest operations that were recorded at or before an instant. */
    @NativeQuery("select * from account_operation where tenant = :tenant and account = :account"
            + " and recorded_at <= :at order by recorded_at desc, sequence desc")
    List<AccountOperation> findLatest(String tenant, String account, Instant at, Limit limit);
}
