-- What became of mails, by quarters of an hour (src/statistics). Time zones differ from UTC by whole quarters.
--
--   mail_counts   the sums
--   count_marks   how much of each log is in them
--   uncounted     single facts that are not in them yet and that no log keeps

-- `workspace` is not a foreign key: who counts waits for nobody.
create table mail_counts (
  workspace bigint not null,
  quarter text not null, -- 2026-03-01T09:15
  source_type text not null,
  domain text not null, -- of the sender
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
  primary key (workspace, quarter, source_type, domain)
){keyed};

-- The rows of a log with low < seq <= high are counted. High goes up with what happens, low goes down through what was there before.
create table count_marks (
  log text primary key, -- 'emails' or 'events'
  low bigint not null,
  high bigint not null
){strict};
insert into count_marks (log, low, high) select 'emails', coalesce(max(seq), 0), coalesce(max(seq), 0) from emails;
insert into count_marks (log, low, high) select 'events', coalesce(max(seq), 0), coalesce(max(seq), 0) from events;

-- Written by triggers: mails that failed or were taken back, readers who unsubscribed, rows of a log that are deleted before they are
-- counted. Removed once they are in mail_counts.
create table uncounted (
  seq {serial},
  workspace bigint not null,
  at text not null,
  source_type text not null,
  domain text not null,
  what text not null -- a column of mail_counts
){strict};
create index uncounted_of_workspace on uncounted (workspace, seq);

insert into uncounted (workspace, at, source_type, domain, what)
select e.workspace, e.failed_at, e.source_type,
  substr(c.from_address, length(rtrim(c.from_address, replace(c.from_address, '@', ''))) + 1), 'failed'
from emails e join contents c on c.seq = e.content where e.failed_at is not null;
insert into uncounted (workspace, at, source_type, domain, what)
select e.workspace, e.unsubscribed_at, e.source_type,
  substr(c.from_address, length(rtrim(c.from_address, replace(c.from_address, '@', ''))) + 1), 'unsubscribed'
from emails e join contents c on c.seq = e.content where e.unsubscribed_at is not null;
