-- Identifiers are compared byte by byte on every server, whatever its locale (K23).
create table domain_event (
    global_index         bigint generated always as identity,
    event_id             uuid                     not null,
    aggregate_identifier text collate "C"         not null,
    sequence_number      bigint                   not null,
    aggregate_type       text collate "C",
    payload_type         text collate "C"         not null,
    payload_revision     text collate "C",
    recorded_at          timestamp with time zone not null,
    metadata             bytea                    not null,
    payload              bytea                    not null,
    constraint domain_event_pkey primary key (global_index),
    -- One event for each (tenant, handler, operation id): the arbiter of duplicates.
    constraint domain_event_event_id_key unique (event_id),
    -- One event for each step of an account: the arbiter between instances.
    constraint domain_event_aggregate_sequence_key unique (aggregate_identifier, sequence_number)
);

create table token_entry (
    processor_name varchar(255) not null,
    segment        integer      not null,
    token          bytea,
    token_type     varchar(255),
    claimed_at     varchar(255),
    owner          varchar(255),
    constraint token_entry_pkey primary key (processor_name, segment)
);

create table api_key (
    name       text collate "C"         not null,
    tenant     text collate "C"         not null,
    roles      text                     not null,
    hash       bytea                    not null,
    created_at timestamp with time zone not null,
    constraint api_key_pkey primary key (name),
    constraint api_key_hash_key unique (hash)
);
