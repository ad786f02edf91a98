-- A replay and what became of it. Never deleted, never overwritten by another one (E4, E6).
create table replay_job (
    id               uuid                     not null,
    mode             text collate "C"         not null,
    handlers         text collate "C"         not null,
    state            text collate "C"         not null,
    requested_by     text collate "C"         not null,
    planned_at       timestamp with time zone not null,
    started_at       timestamp with time zone,
    ended_at         timestamp with time zone,
    consumer_version text collate "C"         not null,
    plan             text                     not null,
    report           text,
    constraint replay_job_pkey primary key (id)
);

-- Who may reset a handler. The primary key lets one job have it, across instances.
create table replay_claim (
    handler      text collate "C"         not null,
    job_id       uuid                     not null,
    phase        text collate "C"         not null,
    renewed_at   timestamp with time zone not null,
    constraint replay_claim_pkey primary key (handler),
    constraint replay_claim_job_fkey foreign key (job_id) references replay_job (id)
);

-- What account balances were before a rebuild, to compare them with afterwards (E5).
create table replay_balance_before (
    job_id   uuid   not null,
    tenant   text collate "C" not null,
    account  text collate "C" not null,
    balance  bigint not null,
    sequence bigint not null,
    constraint replay_balance_before_pkey primary key (job_id, tenant, account)
);
