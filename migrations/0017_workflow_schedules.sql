-- Workflows that start by the clock: for each member of a segment, a part of them at a time.
alter table workflows add column segment bigint references segments (seq);
alter table workflows add column fires_at text; -- the moment for which the next members start; null = it has no schedule, or is disabled
alter table workflows add column fired_to bigint not null default 0; -- the member to whom the firing under way has come
create index workflows_firing on workflows (fires_at) where fires_at is not null;
create index workflows_of_segment on workflows (segment) where segment is not null;
