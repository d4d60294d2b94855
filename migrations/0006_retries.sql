-- Mails that are sent again together. Few rows, kept for a month.

create table retries (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  status text not null check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'CANCELLED', 'FAILED')),
  domains text, -- JSON array: the sender domains of the key that asked for it; null = all of the workspace
  mails text not null, -- JSON array: the numbers of the mails, in their order
  total bigint not null,
  processed bigint not null default 0,
  resent bigint not null default 0,
  attempts smallint not null default 0, -- at the next batch
  due_at text, -- null = it is over
  failure text, -- FAILED: why, for people
  created_at text not null
){strict};
create index retries_of_workspace on retries (workspace, seq);
create unique index retries_unfinished on retries (workspace) where due_at is not null;
create index retries_due on retries (due_at, seq) where due_at is not null;
create index retries_over on retries (created_at) where due_at is null;

create table retry_errors (
  retry bigint not null references retries (seq) on delete cascade,
  email text not null, -- public id of the mail
  error text not null,
  primary key (retry, email)
){strict};
