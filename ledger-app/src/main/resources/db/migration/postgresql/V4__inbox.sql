-- What each handler has handled: complete with the commit, or not there. It is also the record of the delivery that took
-- effect.
create table inbox (
    tenant          text collate "C"         not null,
    handler         text collate "C"         not null,
    event_id        text collate "C"         not null,
    digest          text collate "C"         not null,
    handler_version text collate "C"         not null,
    result          text                     not null,
    recorded_at     timestamp with time zone not null,
    -- The arbiter between two deliveries. The event first, so that one look finds all its handlers.
    constraint inbox_key unique (tenant, event_id, handler)
);

-- The same id with other content: evidence, never overwritten.
create table inbox_conflict (
    tenant          text collate "C"         not null,
    handler         text collate "C"         not null,
    event_id        text collate "C"         not null,
    offered_digest  text collate "C"         not null,
    recorded_digest text collate "C"         not null,
    handler_version text collate "C"         not null,
    offered_content text                     not null,
    detected_at     timestamp with time zone not null,
    constraint inbox_conflict_key unique (tenant, event_id, handler, offered_digest)
);

-- Every delivery that did not take effect.
create table delivery (
    id              bigint generated always as identity,
    tenant          text collate "C"         not null,
    handler         text collate "C"         not null,
    event_id        text collate "C"         not null,
    handler_version text collate "C"         not null,
    outcome         text collate "C"         not null,
    at              timestamp with time zone not null,
    detail          text,
    replay          text collate "C",
    constraint delivery_pkey primary key (id)
);
create index delivery_event on delivery (tenant, event_id);

-- The handler order-audit.
create table order_audit (
    tenant      text collate "C"         not null,
    event_id    text collate "C"         not null,
    type        text                     not null,
    source      text                     not null,
    subject     text,
    content     text                     not null,
    recorded_at timestamp with time zone not null,
    constraint order_audit_pkey primary key (tenant, event_id)
);

-- A handled event is also the record of the delivery that took effect.
alter table handled_event add column handled_at timestamp with time zone default current_timestamp not null;

-- How often an event came again to a handler that had handled it: one row, however often.
create table handled_event_repeat (
    tenant   text collate "C"         not null,
    handler  text collate "C"         not null,
    event_id uuid                     not null,
    repeats  bigint                   not null,
    last_at  timestamp with time zone not null,
    constraint handled_event_repeat_pkey primary key (tenant, handler, event_id)
);
