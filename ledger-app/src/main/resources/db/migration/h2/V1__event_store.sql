create table domain_event (
    global_index         bigint generated always as identity,
    event_id             uuid                        not null,
    aggregate_identifier varchar(257)                not null,
    sequence_number      bigint                      not null,
    aggregate_type       varchar(255),
    payload_type         varchar(255)                not null,
    payload_revision     varchar(255),
    recorded_at          timestamp(6) with time zone not null,
    metadata             varbinary(1000000)          not null,
    payload              varbinary(1000000)          not null,
    constraint domain_event_pkey primary key (global_index),
    -- One event for each (tenant, handler, operation id): the arbiter of duplicates.
    constraint domain_event_event_id_key unique (event_id),
    -- One event for each step of an account: the arbiter between threads.
    constraint domain_event_aggregate_sequence_key unique (aggregate_identifier, sequence_number)
);

create table token_entry (
    processor_name varchar(255) not null,
    segment        integer      not null,
    token          varbinary(1000000),
    token_type     varchar(255),
    claimed_at     varchar(255),
    owner          varchar(255),
    constraint token_entry_pkey primary key (processor_name, segment)
);

create table api_key (
    name       varchar(128)                not null,
    tenant     varchar(128)                not null,
    roles      varchar(255)                not null,
    hash       varbinary(32)               not null,
    created_at timestamp(6) with time zone not null,
    constraint api_key_pkey primary key (name),
    constraint api_key_hash_key unique (hash)
);
