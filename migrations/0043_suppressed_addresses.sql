-- Keyed hashes of the addresses of erased people who had bounced for good or complained: no import or send mails them again.
create table suppressed_addresses (
  workspace bigint not null references workspaces (seq) on delete cascade,
  hash text not null,
  reason text not null check (reason in ('bounce', 'complaint')),
  primary key (workspace, hash)
){strict};

-- Of people who were erased while files waited to be imported: what those say of them is passed over.
create table erased_before_import (
  workspace bigint not null references workspaces (seq) on delete cascade,
  hash text not null,
  erased_at text not null,
  primary key (workspace, hash)
){strict};
