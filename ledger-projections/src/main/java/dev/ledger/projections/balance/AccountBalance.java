package dev.ledger.projections.balance;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.annotations.Immutable;

/** A row of the read model; written in batches by {@link AccountBalances}, only read through this class. */
@Entity
@Immutable
@Table(name = "account_balance")
@IdClass(AccountBalance.Key.class)
public class AccountBalance {

    /** The primary key. */
    public record Key(String tenant, String account) implements Serializable {}

    @Id
    private String tenant = "";

    @Id
    private String account = "";

    private long balance;
    private long sequence;
    private long operations;

    @Column(name = "updated_at")
    private Instant updatedAt = Instant.EPOCH;

    protected AccountBalance() {}

    public String account() {
        return account;
    }

    /** After the operation with {@link #sequence}, never negative. */
    public long balance() {
        return balance;
    }

    /** Of the latest operation that has reached this read model. */
    public long sequence() {
        return sequence;
    }

    /** How many operations have reached this read model. */
    public long operations() {
        return operations;
    }

    /** When the latest of them was recorded. */
    public Instant updatedAt() {
        return updatedAt;
    }
}
