-- What Amazon SES calls a mail, by which its notices are matched.
create index emails_by_remote_id on emails (remote_id) where remote_id is not null;

-- Notices that were taken: each counts once, however often it is brought.
create table notices (
  id text primary key,
  seen_at text not null
){strict};
create index notices_by_age on notices (seen_at);
