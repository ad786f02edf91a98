-- What each handler has handled: complete with the commit, or not there. It is also the record of the delivery that took
-- effect. A unique constraint and no primary key, since H2 does not tell a primary key's name when it is violated.
create table inbox (
    tenant          varchar(128)                not null,
    handler         varchar(128)                not null,
    event_id        varchar(128)                not null,
    digest          varchar(128)                not null,
    handler_version varchar(128)                not null,
    result          varchar(65536)              not null,
    recorded_at     timestamp(6) with time zone not null,
    -- The arbiter between two deliveries. The event first, so that one look finds all its handlers.
    constraint inbox_key unique (tenant, event_id, handler)
);

-- The same id with other content: evidence, never overwritten.
create table inbox_conflict (
    tenant          varchar(128)                not null,
    handler         varchar(128)                not null,
    event_id        varchar(128)                not null,
    offered_digest  varchar(128)                not null,
    recorded_digest varchar(128)                not null,
    handler_version varchar(128)                not null,
    offered_content varchar(1048576)            not null,
    detected_at     timestamp(6) with time zone not null,
    constraint inbox_conflict_key unique (tenant, event_id, handler, offered_digest)
);

-- Every delivery that did not take effect.
create table delivery (
    id              bigint generated always as identity,
    tenant          varchar(128)                not null,
    handler         varchar(128)                not null,
    event_id        varchar(128)                not null,
    handler_version varchar(128)                not null,
    outcome         varchar(32)                 not null,
    at              timestamp(6) with time zone not null,
    detail          varchar(255),
    replay          varchar(128),
    constraint delivery_pkey primary key (id)
);
create index delivery_event on delivery (tenant, event_id);

-- The handler order-audit.
create table order_audit (
    tenant      varchar(128)                not null,
    event_id    varchar(128)                not null,
    type        varchar(255)                not null,
    source      varchar(2048)               not null,
    subject     varchar(2048),
    content     varchar(1048576)            not null,
    recorded_at timestamp(6) with time zone not null,
    constraint order_audit_pkey primary key (tenant, event_id)
);

-- A handled event is also the record of the delivery that took effect.
alter table handled_event add column handled_at timestamp(6) with time zone default current_timestamp not null;

-- How often an event came again to a handler that had handled it: one row, however often.
create table handled_event_repeat (
    tenant   varchar(128)                not null,
    handler  varchar(128)                not null,
    event_id uuid                        not null,
    repeats  bigint                      not null,
    last_at  timestamp(6) with time zone not null,
    constraint handled_event_repeat_pkey primary key (tenant, handler, event_id)
);
