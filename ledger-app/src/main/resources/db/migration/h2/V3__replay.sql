-- A replay and what became of it. Never deleted, never overwritten by another one (E4, E6).
create table replay_job (
    id               uuid                     not null,
    mode             varchar(255)             not null,
    handlers         varchar(255)             not null,
    state            varchar(255)             not null,
    requested_by     varchar(255)             not null,
    planned_at       timestamp(6) with time zone not null,
    started_at       timestamp(6) with time zone,
    ended_at         timestamp(6) with time zone,
    consumer_version varchar(255)             not null,
    plan             varchar(1000000)                 not null,
    report           varchar(1000000),
    constraint replay_job_pkey primary key (id)
);

-- Who may reset a handler. The primary key lets one job have it, across instances.
create table replay_claim (
    handler      varchar(255)             not null,
    job_id       uuid                     not null,
    phase        varchar(255)             not null,
    renewed_at   timestamp(6) with time zone not null,
    constraint replay_claim_pkey primary key (handler),
    constraint replay_claim_job_fkey foreign key (job_id) references replay_job (id)
);

-- What account balances were before a rebuild, to compare them with afterwards (E5).
create table replay_balance_before (
    job_id   uuid   not null,
    tenant   varchar(255) not null,
    account  varchar(255) not null,
    balance  bigint not null,
    sequence bigint not null,
    constraint replay_balance_before_pkey primary key (job_id, tenant, account)
);
