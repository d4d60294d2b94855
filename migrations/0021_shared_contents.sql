-- Contents that many requests have in common, found again by what they say: a workflow's mails leave one by one.
create table shared_contents (
  workspace bigint not null references workspaces (seq) on delete cascade,
  digest text not null, -- SHA-256 of all that the content holds
  content bigint not null references contents (seq) on delete cascade,
  primary key (workspace, digest)
){strict};
create index shared_contents_of_content on shared_contents (content);
