-- Workflows under way. A version is a workflow as it was when an execution started on it; it never changes.
create table workflow_versions (
  seq {serial},
  workflow bigint not null references workflows (seq) on delete cascade,
  revision bigint not null,
  definition text not null -- JSON
){strict};
create unique index workflow_versions_by_revision on workflow_versions (workflow, revision);

-- States and who moves them: src/workflows/execution.ts.
create table executions (
  seq {serial},
  id text not null unique,
  workspace bigint not null, -- goes with its contact and its workflow
  workflow bigint not null references workflows (seq) on delete cascade,
  version bigint not null,
  contact bigint not null references contacts (seq) on delete cascade,
  status text not null check (status in ('RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED')),
  step text, -- where it stands; the step's public id
  branch text, -- by which it leaves that step when it is due
  due_at text, -- when it goes on; null = when something happens, or never
  awaits text, -- the name of the event that it waits for
  event_name text, -- what started it; null = by hand
  context text not null, -- JSON: the data of that event, and of those that were waited for
  once smallint check (once = 1), -- there is no second one for this contact, ever
  reason text, -- why it ended so
  started_at text not null,
  ended_at text
){strict};
create index executions_due on executions (due_at) where due_at is not null;
create unique index executions_active on executions (workflow, contact) where status in ('RUNNING', 'WAITING');
create unique index executions_once on executions (workflow, contact) where once = 1;
create index executions_awaiting on executions (contact, awaits) where awaits is not null;
create index executions_in_order on executions (workflow, seq);
create index executions_by_status on executions (workflow, status, seq);
create index executions_of_contact on executions (contact, workflow, started_at);
create index executions_of_version on executions (version) where status in ('RUNNING', 'WAITING');

-- What became of each step: an execution comes by a step once.
create table execution_steps (
  seq {serial},
  id text not null,
  execution bigint not null references executions (seq) on delete cascade,
  step text not null, -- the step's public id
  status text not null check (status in ('WAITING', 'COMPLETED', 'SKIPPED', 'FAILED', 'CANCELLED')),
  output text, -- JSON
  started_at text not null,
  ended_at text
){strict};
create unique index execution_steps_once on execution_steps (execution, step);

-- A webhook on its way. Its id outside is that of the step.
create table webhook_deliveries (
  execution_step bigint primary key references execution_steps (seq) on delete cascade,
  execution bigint not null,
  workspace bigint not null,
  origin text not null, -- scheme, host and port: one that does not answer holds up no other
  payload text not null, -- JSON: what the webhook is about, as it was when the execution came by
  state text not null check (state in ('DUE', 'CALLING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  tries smallint not null default 0, -- since it was last sent by hand, if it was
  attempts smallint not null default 0,
  by_hand smallint not null default 0 check (by_hand in (0, 1)), -- the execution has gone on without it
  due_at text -- DUE: not before this. CALLING: the lease ends. Settled: null
){strict};
create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null;
create index webhook_deliveries_by_origin on webhook_deliveries (origin, due_at) where due_at is not null;

-- Written before the attempt is made; what has no outcome was cut short.
create table webhook_attempts (
  execution_step bigint not null references webhook_deliveries (execution_step) on delete cascade,
  number smallint not null,
  at text not null,
  outcome text, -- 'delivered', 'later', 'failed'
  status smallint, -- of the HTTP answer
  duration_ms bigint,
  answer text, -- its beginning, or what went wrong
  primary key (execution_step, number)
){strict};
