-- Workflows that an event starts each time, and events that started nothing.
--
--   unstarted   src/workflows/execution: events that a workflow listens to and that started nothing, the last of each workflow

alter table workflows add column each_event smallint not null default 0 check (each_event in (0, 1)); -- 1 = with allow_reentry: each event starts an execution
alter table workflows add column entry_key text; -- with each_event: a template; one running execution of a contact a key

-- What sets it apart from the contact's other executions in the workflow: '=' and its key, '#' and what started it; '' = nothing does.
alter table executions add column entry text not null default '';
drop index executions_active;
create unique index executions_active on executions (workflow, contact, entry) where status in ('RUNNING', 'WAITING');

create table unstarted (
  seq {serial},
  workflow bigint not null references workflows (seq) on delete cascade,
  contact bigint references contacts (seq) on delete cascade, -- null = the event has none
  event_id text not null,
  event_name text not null,
  reason text not null,
  created_at text not null
){strict};
create index unstarted_in_order on unstarted (workflow, seq);
create index unstarted_of_contact on unstarted (contact) where contact is not null;
create index unstarted_by_time on unstarted (created_at);
