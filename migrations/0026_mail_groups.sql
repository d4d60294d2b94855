-- What became of mails by template, by campaign and by the provider of the recipient's mailbox (src/statistics); views of other lists.
--
-- `workspace` is not a foreign key: who counts waits for nobody.
create table mail_group_counts (
  workspace bigint not null,
  kind text not null, -- template, campaign, provider; with " by hour" the same, by hours
  quarter text not null, -- 2026-03-01T09:15
  name text not null, -- public id of the template or campaign; the provider
  accepted bigint not null default 0,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  hard_bounced bigint not null default 0,
  soft_bounced bigint not null default 0,
  complained bigint not null default 0,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  unsubscribed bigint not null default 0,
  cancelled bigint not null default 0,
  primary key (workspace, kind, quarter, name)
){keyed};

-- What is new is counted together with mail_counts; these marks go down through what was counted before.
insert into count_marks (log, low, high) select log || ' by group', high, high from count_marks;

-- Null for what was noted before, and where there is none.
alter table uncounted add column template text; -- public id
alter table uncounted add column campaign text; -- public id
alter table uncounted add column recipient text; -- domain

-- Which list a view is of.
alter table mail_views add column list text not null default 'mails';
