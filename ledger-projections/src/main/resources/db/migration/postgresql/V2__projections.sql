create table account_balance (
    tenant     text collate "C"         not null,
    account    text collate "C"         not null,
    balance    bigint                   not null,
    sequence   bigint                   not null,
    operations bigint                   not null,
    updated_at timestamp with time zone not null,
    constraint account_balance_pkey primary key (tenant, account),
    constraint account_balance_not_negative check (balance >= 0)
);

-- Ordered by time and sequence at once: pages, windows of time and a balance as of an instant share one index.
create table account_operation (
    tenant          text collate "C"         not null,
    account         text collate "C"         not null,
    recorded_at     timestamp with time zone not null,
    sequence        bigint                   not null,
    operation_id    text collate "C"         not null,
    delta           bigint                   not null,
    balance         bigint                   not null,
    digest          text collate "C"         not null,
    handler_version text collate "C"         not null,
    occurred_at     text collate "C",
    memo            text,
    caused_by       text collate "C",
    attributes      text,
    constraint account_operation_pkey primary key (tenant, account, recorded_at, sequence)
);

-- What each handler has handled. The primary key decides between two deliveries.
create table handled_event (
    tenant          text collate "C" not null,
    handler         text collate "C" not null,
    event_id        uuid             not null,
    digest          text collate "C" not null,
    handler_version text collate "C" not null,
    constraint handled_event_pkey primary key (tenant, handler, event_id)
);

-- The same id with other content: evidence, never overwritten.
create table handled_event_conflict (
    tenant          text collate "C"         not null,
    handler         text collate "C"         not null,
    event_id        uuid                     not null,
    offered_digest  text collate "C"         not null,
    recorded_digest text collate "C"         not null,
    handler_version text collate "C"         not null,
    offered_event   text                     not null,
    detected_at     timestamp with time zone not null,
    constraint handled_event_conflict_pkey primary key (tenant, handler, event_id, offered_digest)
);
