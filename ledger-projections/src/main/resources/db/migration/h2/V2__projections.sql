create table account_balance (
    tenant     varchar(128)                not null,
    account    varchar(128)                not null,
    balance    bigint                      not null,
    sequence   bigint                      not null,
    operations bigint                      not null,
    updated_at timestamp(6) with time zone not null,
    constraint account_balance_pkey primary key (tenant, account),
    constraint account_balance_not_negative check (balance >= 0)
);

-- Ordered by time and sequence at once: pages, windows of time and a balance as of an instant share one index.
create table account_operation (
    tenant          varchar(128)                not null,
    account         varchar(128)                not null,
    recorded_at     timestamp(6) with time zone not null,
    sequence        bigint                      not null,
    operation_id    varchar(128)                not null,
    delta           bigint                      not null,
    balance         bigint                      not null,
    digest          varchar(128)                not null,
    handler_version varchar(128)                not null,
    occurred_at     varchar(64),
    memo            varchar(4096),
    caused_by       varchar(128),
    attributes      varchar(100000),
    constraint account_operation_pkey primary key (tenant, account, recorded_at, sequence)
);

-- What each handler has handled. The primary key decides between two deliveries.
create table handled_event (
    tenant          varchar(128) not null,
    handler         varchar(128) not null,
    event_id        uuid         not null,
    digest          varchar(128) not null,
    handler_version varchar(128) not null,
    constraint handled_event_pkey primary key (tenant, handler, event_id)
);

-- The same id with other content: evidence, never overwritten.
create table handled_event_conflict (
    tenant          varchar(128)                not null,
    handler         varchar(128)                not null,
    event_id        uuid                        not null,
    offered_digest  varchar(128)                not null,
    recorded_digest varchar(128)                not null,
    handler_version varchar(128)                not null,
    offered_event   varchar(100000)             not null,
    detected_at     timestamp(6) with time zone not null,
    constraint handled_event_conflict_pkey primary key (tenant, handler, event_id, offered_digest)
);
