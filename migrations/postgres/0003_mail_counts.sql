-- What no log keeps until it is counted. Who deletes rows of a log holds its mark, so that they are not counted at the same moment.
create function domain_of(address text) returns text language sql immutable strict parallel safe as
  'select substr($1, length(rtrim($1, replace($1, ''@'', ''''))) + 1)';

create function note_failed() returns trigger language plpgsql as $$
begin
  insert into uncounted (workspace, at, source_type, domain, what)
  select new.workspace, new.failed_at, new.source_type, domain_of(from_address), 'failed' from contents where seq = new.content;
  return null;
end $$;
create trigger mails_failed after update of failed_at on emails for each row
  when (new.failed_at is not null and old.failed_at is null) execute function note_failed();

create function note_unsubscribed() returns trigger language plpgsql as $$
begin
  insert into uncounted (workspace, at, source_type, domain, what)
  select new.workspace, new.unsubscribed_at, new.source_type, domain_of(from_address), 'unsubscribed' from contents where seq = new.content;
  return null;
end $$;
create trigger mails_unsubscribed after update of unsubscribed_at on emails for each row
  when (new.unsubscribed_at is not null and old.unsubscribed_at is null) execute function note_unsubscribed();

create function note_mail_gone() returns trigger language plpgsql as $$
declare
  mark count_marks;
  sender text;
begin
  select domain_of(from_address) into sender from contents where seq = old.content;
  select * into mark from count_marks where log = 'emails' for share;
  if old.status in ('QUEUED', 'SENDING') then
    insert into uncounted (workspace, at, source_type, domain, what)
    values (old.workspace, old.created_at, old.source_type, sender, 'cancelled');
  end if;
  if old.seq > mark.high or old.seq <= mark.low then
    insert into uncounted (workspace, at, source_type, domain, what)
    values (old.workspace, old.created_at, old.source_type, sender, 'accepted');
  end if;
  return null;
end $$;
create trigger mails_gone after delete on emails for each row
  when (old.source_type <> 'INBOUND') execute function note_mail_gone();

create function note_event_gone() returns trigger language plpgsql as $$
declare
  mark count_marks;
  what text := case
    when old.name = 'email.sent' then 'sent'
    when old.name = 'email.delivery' then 'delivered'
    when old.name = 'email.complaint' then 'complained'
    when old.name = 'email.bounce' and old.data ->> 'bounceType' = 'Permanent' then 'hard_bounced'
    when old.name = 'email.bounce' then 'soft_bounced'
    when old.data -> 'isFirstOpen' = 'true' then 'opened'
    when old.data -> 'isFirstClick' = 'true' then 'clicked' end;
begin
  select * into mark from count_marks where log = 'events' for share;
  if what is not null and (old.seq > mark.high or old.seq <= mark.low)
    and old.data ->> 'sourceType' is not null and old.data ->> 'from' is not null then
    insert into uncounted (workspace, at, source_type, domain, what)
    values (old.workspace, old.created_at, old.data ->> 'sourceType', domain_of(old.data ->> 'from'), what);
  end if;
  return null;
end $$;
create trigger mail_events_gone after delete on events for each row
  when (old.name in ('email.sent', 'email.delivery', 'email.bounce', 'email.complaint', 'email.open', 'email.click'))
  execute function note_event_gone();

create function forget_counts() returns trigger language plpgsql as $$
begin
  delete from mail_counts where workspace = old.seq;
  delete from uncounted where workspace = old.seq;
  return null;
end $$;
create trigger workspaces_uncounted after delete on workspaces for each row execute function forget_counts();
