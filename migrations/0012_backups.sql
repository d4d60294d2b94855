-- Which backups were made, by schedule or by hand. A row without an end: it is being made, or the process that made it has died.

create table backups (
  seq {serial},
  started_at text not null,
  ended_at text,
  name text not null,
  scheduled smallint not null default 0,
  bytes bigint,
  error text
){strict};

-- Since when nothing leaves, after a restore or by `serve --hold`; null: it is not held.
alter table installation add column held_at text;
