-- Email as code: what a directory of files keeps, and keys that may do only that.

create table kept_files (
  workspace bigint not null references workspaces (seq) on delete cascade,
  kind text not null, -- topics, templates, …: the directory of the file
  name text not null, -- of the file, without its ending
  record text not null, -- the id of what it keeps; 'brand' for the brand
  saved_at text not null, -- when that was saved, as the last apply left it: later = somebody has changed it since
  applied_at text not null,
  primary key (workspace, kind, name)
){keyed};
create unique index kept_files_by_record on kept_files (workspace, kind, record);

-- 1 = only for email as code. Its permissions are then 'read': servers of the version before know no narrower ones.
alter table key_sets add column is_content smallint not null default 0 check (is_content in (0, 1));
