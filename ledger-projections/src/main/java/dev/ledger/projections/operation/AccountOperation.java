package dev.ledger.projections.operation;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** A line of a statement; written in batches by {@link AccountOperations}, only read through this class. */
@Entity
@Immutable
@Table(name = "account_operation")
@IdClass(AccountOperation.Key.class)
public class AccountOperation {

    /** The primary key but for the time, which only orders it. */
    public record Key(String tenant, String account, long sequence) implements Serializable {}

    @Id
    private String tenant = "";

    @Id
    private String account = "";

    @Id
    private long sequence;

    @Column(name = "operation_id")
    private String operationId = "";

    private long delta;
    private long balance;
    private String digest = "";

    @Column(name = "handler_version")
    private String handlerVersion = "";

    @Column(name = "recorded_at")
    private Instant recordedAt = Instant.EPOCH;

    @Column(name = "occurred_at")
    private @Nullable String occurredAt;

    private @Nullable String memo;

    @Column(name = "caused_by")
    private @Nullable String causedBy;

    private @Nullable String attributes;

    protected AccountOperation() {}

    public String account() {
        return account;
    }

    public long sequence() {
        return sequence;
    }

    public String operationId() {
        return operationId;
    }

    public long delta() {
        return delta;
    }

    public long balance() {
        return balance;
    }

    public String digest() {
        return digest;
    }

    public String handlerVersion() {
        return handlerVersion;
    }

    public Instant recordedAt() {
        return recordedAt;
    }

    /** With all the digits that the caller gave, which a database's timestamp may not have. */
    public @Nullable Instant occurredAt() {
        return occurredAt == null ? null : Instant.parse(occurredAt);
    }

    public @Nullable String memo() {
        return memo;
    }

    public @Nullable String causedBy() {
        return causedBy;
    }

    /** Canonical JSON, an object of strings. */
    public @Nullable String attributes() {
        return attributes;
    }
}
