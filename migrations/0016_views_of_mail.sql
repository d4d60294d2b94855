-- Filters of the list of mails that people have kept under a name.

create table mail_views (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  person bigint references users (seq) on delete cascade, -- null = the whole workspace's
  name text not null,
  filter text not null, -- JSON object, in the words of GET /emails
  created_at text not null
){strict};
create index mail_views_in_order on mail_views (workspace, seq);
create index mail_views_of_person on mail_views (person) where person is not null;
