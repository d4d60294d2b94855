-- A mail that a mail server has got, but not answered for, is PERHAPS_DELIVERED: SENT, but without `sent_at`. It waits for a late repeat if
-- it has `due_at`. An older version shows it as SENT, and repeats it as well.
alter table emails add column repeats_left smallint; -- late repeats that are left; null = it never was PERHAPS_DELIVERED
alter table hops add column mails_per_session bigint; -- no more than these were taken; null = no limit was found

create index emails_perhaps on emails (workspace, seq) where status = 'SENT' and sent_at is null;
create index emails_perhaps_in_campaign on emails (campaign, due_at) where campaign is not null and status = 'SENT' and sent_at is null;
