-- Workspaces take turns at each queue (src/store/turns.ts). A row is a workspace's place in one queue: no later than the moment at
-- which its first work there is due. Triggers see to that (the files of this name in sqlite/ and postgres/), so that whatever makes work due
-- calls its workspace, older processes too. A turn that comes too early finds nothing and does no harm.
create table turns (
  workspace bigint not null, -- 0 = none: messages to return paths
  queue text not null,
  due_at text, -- null = nothing waits
  served bigint not null default 0, -- turns so far; of those that are due at one moment, the least served is next
  primary key (workspace, queue)
){keyed};
create index turns_due on turns (queue, due_at, served) where due_at is not null;

drop index emails_due;
create index emails_due on emails (lane, workspace, due_at) where due_at is not null;
drop index executions_due;
create index executions_due on executions (workspace, due_at) where due_at is not null;
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (workspace, due_at) where due_at is not null;
drop index webhook_deliveries_by_origin;
create index webhook_deliveries_by_origin on webhook_deliveries (workspace, origin, due_at) where due_at is not null;
drop index messages_due;
create index messages_due on messages (coalesce(workspace, 0), due_at) where due_at is not null;
drop index outbox_due;
drop index outbox_of_workspace;
create index outbox_due on outbox (workspace, due_at, seq) where due_at is not null;
drop index segments_to_sweep;
create index segments_to_sweep on segments (workspace, sweep_due_at) where sweep_due_at is not null;

insert into turns (workspace, queue, due_at)
  select workspace, case lane when 0 then 'transactional' else 'marketing' end, min(due_at) from emails
  where lane in (0, 1) and due_at is not null group by workspace, lane
  union all select workspace, 'executions', min(due_at) from executions where due_at is not null group by workspace
  union all select workspace, 'webhooks', min(due_at) from webhook_deliveries where due_at is not null group by workspace
  union all select coalesce(workspace, 0), 'messages', min(due_at) from messages where due_at is not null
    group by coalesce(workspace, 0)
  union all select workspace, 'outbox', min(due_at) from outbox where due_at is not null group by workspace
  union all select workspace, 'sweeps', min(sweep_due_at) from segments where sweep_due_at is not null group by workspace;
