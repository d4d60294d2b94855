-- Work on many contacts that was asked for and goes on after the answer. States: src/contacts/jobs/job.ts.
create table contact_jobs (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  operation text not null check (operation in ('IMPORT', 'SUBSCRIBE', 'UNSUBSCRIBE', 'DELETE')),
  status text not null check (status in ('STAGING', 'ABANDONED', 'PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  due_at text not null, -- STAGING: abandoned. PENDING, PROCESSING: the next batch. Otherwise: what is left is removed
  selection text, -- JSON: which contacts; null for an import
  position bigint not null default 0, -- so far the selection has been gone through
  total bigint not null default 0,
  processed bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  failed bigint not null default 0,
  attempts smallint not null default 0, -- of the batch in hand
  created_at text not null
){strict};
create index contact_jobs_due on contact_jobs (due_at, seq);
create index contact_jobs_of_workspace on contact_jobs (workspace, status);

-- Rows of a file that wait to be imported; gone when they are.
create table contact_job_batches (
  job bigint not null references contact_jobs (seq) on delete cascade,
  number bigint not null,
  content text not null, -- JSON array of rows (src/contacts/jobs/row.ts)
  primary key (job, number)
){strict};

-- The first of what went wrong.
create table contact_job_errors (
  job bigint not null references contact_jobs (seq) on delete cascade,
  place bigint not null, -- the row of the file, or the position in the list of contacts
  about text not null, -- the address, or the contact's id
  error text not null,
  primary key (job, place)
){strict};
