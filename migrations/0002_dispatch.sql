-- Who wants to know of what. An event or a change that nobody wants to know of is stored and goes no further.
create table interests (
  workspace bigint not null references workspaces (seq) on delete cascade,
  topic text not null, -- src/events/topics.ts
  kind text not null, -- the consumer: 'segment', 'workflow'
  listener bigint not null, -- the seq of its record
  primary key (workspace, topic, kind, listener)
){strict};

-- What has happened and has not been given to the consumers yet. No foreign keys: what is gone by then is passed over.
create table outbox (
  seq {serial},
  workspace bigint not null,
  topics text not null, -- JSON array
  contact bigint,
  event bigint, -- null for a change that is no event
  attempts smallint not null default 0,
  due_at text -- null = parked: its consumers have thrown again and again
){strict};
create index outbox_due on outbox (due_at, seq) where due_at is not null;
create index outbox_of_workspace on outbox (workspace, due_at) where due_at is not null;
