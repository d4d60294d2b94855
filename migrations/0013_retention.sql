-- How long things are kept, and what stays of mails that were pruned (src/retention).
--
--   prunings       how far each workspace's rows have been gone through
--   pruned_mails   mails of campaigns that were pruned, by the state that they were in

-- Lower than those of the installation; null = as there.
alter table workspaces add column mail_days bigint;
alter table workspaces add column body_days bigint;
alter table workspaces add column event_days bigint;
alter table workspaces add column inbound_days bigint;
alter table workspaces add column attempt_days bigint;

alter table contents add column body_gone_at text; -- what it said was pruned; its mails are still known
alter table contents add column reused_at text; -- when the last mail that repeats another one took it
alter table shared_contents add column used_at text; -- when a mail last took it, to half a day
alter table recipients add column past text; -- JSON: what became of the mail, which was pruned

create table prunings (
  workspace bigint not null references workspaces (seq) on delete cascade,
  kind text not null,
  reached bigint not null default 0, -- the last row that was looked at
  begun_at text not null, -- when it was begun with the first row
  primary key (workspace, kind)
){keyed};

create table pruned_mails (
  campaign bigint not null references campaigns (seq) on delete cascade,
  status text not null,
  mails bigint not null,
  opened bigint not null,
  clicked bigint not null,
  withheld bigint not null, -- not sent because the recipient was not subscribed
  hard_bounced bigint not null,
  unsubscribed bigint not null,
  primary key (campaign, status)
){keyed};
