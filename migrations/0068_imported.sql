-- Whom imports added, found and changed (src/contacts/jobs/imported.ts): their numbers open as lists, and they can be undone for seven days.

create table imported (
  job bigint not null references contact_jobs (seq) on delete cascade,
  contact bigint not null, -- not a foreign key: an erasure removes its rows
  former text, -- JSON: what the import changed, as it was before; null = it added the contact
  changed_at text not null, -- the contact's updated_at when the import was done with it
  primary key (job, contact)
){keyed};

alter table contact_jobs add column repeated bigint not null default 0; -- of those updated: rows whose address came before in the file
