package dev.ledger.projections.balance;

import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.repository.Repository;

/**
 * Reads balances by key and by keyset pages. In SQL: queries in JPQL are parsed at each start, twice, which took a fifth of
 * its time.
 */
public interface AccountBalanceRepository extends Repository<AccountBalance, AccountBalance.Key> {

    /**
     * By a query: where the database fails, Hibernate's own look-up by identifier answers null and lets the transaction end
     * in an unexpected rollback that does not say why.
     */
    @NativeQuery("select * from account_balance where tenant = :tenant and account = :account")
    Optional<AccountBalance> find(String tenant, String account);

    /** The accounts of a tenant that come after one, in order of their bytes (K32). */
    @NativeQuery("select * from account_balance where tenant = :tenant and account > :after order by account")
    List<AccountBalance> findPage(String tenant, String after, Limit limit);
}
