-- What no log keeps until it is counted.

create trigger mails_failed after update of failed_at on emails
when new.failed_at is not null and old.failed_at is null begin
  insert into uncounted (workspace, at, source_type, domain, what)
  select new.workspace, new.failed_at, new.source_type,
    substr(from_address, length(rtrim(from_address, replace(from_address, '@', ''))) + 1), 'failed'
  from contents where seq = new.content;
end;
create trigger mails_unsubscribed after update of unsubscribed_at on emails
when new.unsubscribed_at is not null and old.unsubscribed_at is null begin
  insert into uncounted (workspace, at, source_type, domain, what)
  select new.workspace, new.unsubscribed_at, new.source_type,
    substr(from_address, length(rtrim(from_address, replace(from_address, '@', ''))) + 1), 'unsubscribed'
  from contents where seq = new.content;
end;
create trigger mails_gone after delete on emails
when old.source_type <> 'INBOUND' begin
  insert into uncounted (workspace, at, source_type, domain, what)
  select old.workspace, old.created_at, old.source_type,
    substr(from_address, length(rtrim(from_address, replace(from_address, '@', ''))) + 1), 'cancelled'
  from contents where seq = old.content and old.status in ('QUEUED', 'SENDING');
  insert into uncounted (workspace, at, source_type, domain, what)
  select old.workspace, old.created_at, old.source_type,
    substr(from_address, length(rtrim(from_address, replace(from_address, '@', ''))) + 1), 'accepted'
  from contents, count_marks
  where contents.seq = old.content and count_marks.log = 'emails' and (old.seq > count_marks.high or old.seq <= count_marks.low);
end;

create trigger mail_events_gone after delete on events
when old.name in ('email.sent', 'email.delivery', 'email.bounce', 'email.complaint', 'email.open', 'email.click') begin
  insert into uncounted (workspace, at, source_type, domain, what)
  select * from (
    select old.workspace, old.created_at, old.data ->> '$.sourceType' as source_type,
      substr(old.data ->> '$.from', length(rtrim(old.data ->> '$.from', replace(old.data ->> '$.from', '@', ''))) + 1) as domain,
      case
        when old.name = 'email.sent' then 'sent'
        when old.name = 'email.delivery' then 'delivered'
        when old.name = 'email.complaint' then 'complained'
        when old.name = 'email.bounce' and old.data ->> '$.bounceType' = 'Permanent' then 'hard_bounced'
        when old.name = 'email.bounce' then 'soft_bounced'
        when old.data ->> '$.isFirstOpen' then 'opened'
        when old.data ->> '$.isFirstClick' then 'clicked' end as what
    from count_marks where log = 'events' and (old.seq > high or old.seq <= low)
  ) where source_type is not null and domain is not null and what is not null;
end;

create trigger workspaces_uncounted after delete on workspaces begin
  delete from mail_counts where workspace = old.seq;
  delete from uncounted where workspace = old.seq;
end;
