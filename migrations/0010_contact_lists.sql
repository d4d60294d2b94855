-- Contacts in each order in which they are listed, and how many there are without counting them.

create index contacts_by_flag on contacts (workspace, subscribed, seq);
create index contacts_by_flag_and_email on contacts (workspace, subscribed, email);

-- A workspace's counts are the sums of its rows. There are many, so that transactions that make contacts at the same time
-- do not wait for each other: each adds to one row only.
create table contact_counts (
  workspace bigint not null references workspaces (seq) on delete cascade,
  shard smallint not null,
  total bigint not null,
  subscribed bigint not null,
  primary key (workspace, shard)
){strict};
insert into contact_counts (workspace, shard, total, subscribed)
  select workspace, 0, count(*), sum(subscribed) from contacts group by workspace;
