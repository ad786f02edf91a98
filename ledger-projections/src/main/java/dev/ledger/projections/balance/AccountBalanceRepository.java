package dev.ledger.projections.balance;

import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Reads balances by key and by keyset pages. */
public interface AccountBalanceRepository extends Repository<AccountBalance, AccountBalance.Key> {

    /**
     * By a query: where the database fails, Hibernate's own look-up by identifier answers null and lets the transaction end
     * in an unexpected rollback that does not say why.
     */
    @Query("select b from AccountBalance b where b.tenant = :tenant and b.account = :account")
    Optional<AccountBalance> find(String tenant, String account);

    /** The accounts of a tenant that come after one, in order of their bytes (K32). */
    @Query("select b from AccountBalance b where b.tenant = :tenant and b.account > :after order by b.account")
    List<AccountBalance> findPage(String tenant, String after, Limit limit);
}
