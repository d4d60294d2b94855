-- Campaigns: one mail to many contacts. States and who moves them: src/campaigns/campaign.ts.
create table campaigns (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text not null,
  description text,
  subject text not null,
  body text not null,
  text text, -- null = made from the HTML, '' = none
  from_address text not null,
  from_name text,
  reply_to text,
  audience_type text not null check (audience_type in ('ALL', 'SEGMENT', 'FILTERED')),
  audience_condition text, -- JSON as it was given
  segment_id text, -- public id; the segment may be gone by now
  status text not null default 'DRAFT' check (status in ('DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED')),
  paused smallint not null default 0 check (paused in (0, 1)),
  blocked text, -- why it cannot go on at the moment, in words
  due_at text, -- from then on the loop has something to do with it; null = nothing
  scheduled_for text,
  started_at text,
  sent_at text,
  cancelled_at text,
  deleted_at text, -- gone for everybody; its rows are being removed
  content bigint references contents (seq), -- what its mails share, from the start on
  audience_ceiling bigint, -- the newest contact at the start; who came later gets nothing
  frozen_to bigint not null default 0, -- contacts up to this one have been looked at
  frozen_at text, -- the audience is complete
  fed_to bigint not null default 0, -- recipients up to this one have a mail, or a reason why not
  created_at text not null,
  updated_at text not null
){strict};
create index campaigns_in_order on campaigns (workspace, seq);
create index campaigns_due on campaigns (due_at) where due_at is not null;
create index campaigns_of_content on campaigns (content) where content is not null;

-- The segments by which an audience is found, until it is frozen: so long they cannot be deleted.
create table campaign_segments (
  campaign bigint not null references campaigns (seq) on delete cascade,
  segment bigint not null references segments (seq),
  primary key (campaign, segment)
){strict};
create index campaigns_of_segment on campaign_segments (segment);

-- Who gets a campaign, frozen when it starts. No foreign keys: `contact` stays when the person is erased, and names nobody
-- then; `email` stays when the mail is taken back.
create table recipients (
  campaign bigint not null references campaigns (seq) on delete cascade,
  contact bigint not null,
  email bigint,
  reason text, -- why no mail was queued
  primary key (campaign, contact)
){keyed};
create index recipients_skipped on recipients (campaign, reason) where reason is not null;

alter table contents add column test smallint not null default 0; -- 1 = a copy to look at, which needs no consent

-- No foreign key: its check would need an index of all, and these two are much of what a mail costs.
alter table emails add column campaign bigint;
alter table emails add column unsubscribed_at text; -- its reader unsubscribed through it
create index emails_of_campaign on emails (campaign, status, opens, clicks, due_at) where campaign is not null and due_at is null;
create index emails_in_flight on emails (campaign, lane, due_at) where campaign is not null and due_at is not null;
create index emails_unsubscribed on emails (campaign) where unsubscribed_at is not null;
