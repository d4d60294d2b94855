-- What becomes due calls its workspace to the queue, unless it has an earlier turn there. Work that is put off calls nobody.

create trigger mails_made after insert on emails
when new.due_at is not null and new.lane in (0, 1) begin
  insert into turns (workspace, queue, due_at)
  values (new.workspace, case new.lane when 0 then 'transactional' else 'marketing' end, new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger mails_due after update of due_at, lane on emails
when new.due_at is not null and new.lane in (0, 1) and (old.due_at is null or new.due_at < old.due_at or new.lane <> old.lane) begin
  insert into turns (workspace, queue, due_at)
  values (new.workspace, case new.lane when 0 then 'transactional' else 'marketing' end, new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

create trigger executions_made after insert on executions
when new.due_at is not null begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'executions', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger executions_due after update of due_at on executions
when new.due_at is not null and (old.due_at is null or new.due_at < old.due_at) begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'executions', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

create trigger webhooks_made after insert on webhook_deliveries
when new.due_at is not null begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'webhooks', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger webhooks_due after update of due_at on webhook_deliveries
when new.due_at is not null and (old.due_at is null or new.due_at < old.due_at) begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'webhooks', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

create trigger messages_made after insert on messages
when new.due_at is not null begin
  insert into turns (workspace, queue, due_at) values (coalesce(new.workspace, 0), 'messages', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger messages_due after update of due_at on messages
when new.due_at is not null and (old.due_at is null or new.due_at < old.due_at) begin
  insert into turns (workspace, queue, due_at) values (coalesce(new.workspace, 0), 'messages', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

create trigger outbox_made after insert on outbox
when new.due_at is not null begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'outbox', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger outbox_due after update of due_at on outbox
when new.due_at is not null and (old.due_at is null or new.due_at < old.due_at) begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'outbox', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

create trigger sweeps_made after insert on segments
when new.sweep_due_at is not null begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'sweeps', new.sweep_due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger sweeps_due after update of sweep_due_at on segments
when new.sweep_due_at is not null and (old.sweep_due_at is null or new.sweep_due_at < old.sweep_due_at) begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'sweeps', new.sweep_due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

-- What no log keeps until it is counted (src/statistics).

create trigger mails_over after update of failed_at, skipped_at, cancelled_at on emails
when coalesce(new.failed_at, new.skipped_at, new.cancelled_at) is not null
  and coalesce(old.failed_at, old.skipped_at, old.cancelled_at) is null begin
  insert into uncounted (workspace, at, source_type, domain, what, template, campaign, recipient)
  select new.workspace, coalesce(new.failed_at, new.skipped_at, new.created_at), new.source_type, substr(from_address, length(rtrim(from_address, replace(from_address, '@', ''))) + 1),
    case when new.failed_at is not null then 'failed' when new.skipped_at is not null then 'skipped' else 'cancelled' end,
    template_id, (select id from campaigns where seq = new.campaign), substr(new.to_address, length(rtrim(new.to_address, replace(new.to_address, '@', ''))) + 1)
  from contents where contents.seq = new.content;
end;
-- Of an erased person there are no events.
create trigger mails_over_unnamed after update of sent_at, bounced_at on emails
when new.to_address = '' and new.contact is null and coalesce(new.sent_at, new.bounced_at) is not null
  and coalesce(old.sent_at, old.bounced_at) is null begin
  insert into uncounted (workspace, at, source_type, domain, what, template, campaign, recipient)
  select new.workspace, coalesce(new.sent_at, new.bounced_at), new.source_type, substr(from_address, length(rtrim(from_address, replace(from_address, '@', ''))) + 1),
    case when new.sent_at is not null then 'sent' when new.bounce_type = 'Permanent' then 'hard_bounced' else 'soft_bounced' end,
    template_id, (select id from campaigns where seq = new.campaign), ''
  from contents where contents.seq = new.content;
end;
create trigger mails_unsubscribed after update of unsubscribed_at on emails
when new.unsubscribed_at is not null and old.unsubscribed_at is null begin
  insert into uncounted (workspace, at, source_type, domain, what, template, campaign, recipient)
  select new.workspace, new.unsubscribed_at, new.source_type, substr(from_address, length(rtrim(from_address, replace(from_address, '@', ''))) + 1), 'unsubscribed',
    template_id, (select id from campaigns where seq = new.campaign), substr(new.to_address, length(rtrim(new.to_address, replace(new.to_address, '@', ''))) + 1)
  from contents where contents.seq = new.content;
end;
create trigger mails_gone after delete on emails
when old.source_type <> 'INBOUND' begin
  insert into uncounted (workspace, at, source_type, domain, what, template, campaign, recipient)
  select old.workspace, old.created_at, old.source_type, substr(from_address, length(rtrim(from_address, replace(from_address, '@', ''))) + 1), 'cancelled',
    template_id, (select id from campaigns where seq = old.campaign), substr(old.to_address, length(rtrim(old.to_address, replace(old.to_address, '@', ''))) + 1)
  from contents where contents.seq = old.content and old.status in ('QUEUED', 'SENDING');
  insert into uncounted (workspace, at, source_type, domain, what, template, campaign, recipient)
  select old.workspace, old.created_at, old.source_type, substr(from_address, length(rtrim(from_address, replace(from_address, '@', ''))) + 1), 'accepted',
    template_id, (select id from campaigns where seq = old.campaign), substr(old.to_address, length(rtrim(old.to_address, replace(old.to_address, '@', ''))) + 1)
  from contents, count_marks where contents.seq = old.content and count_marks.log = 'emails' and old.seq > count_marks.high;
end;

create trigger mail_events_gone after delete on events
when old.name in ('email.sent', 'email.delivery', 'email.bounce', 'email.complaint', 'email.open', 'email.click') begin
  insert into uncounted (workspace, at, source_type, domain, what, template, campaign, recipient)
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
        when old.data ->> '$.isFirstClick' then 'clicked' end as what,
      old.data ->> '$.templateId', old.data ->> '$.campaignId',
      (select substr(to_address, length(rtrim(to_address, replace(to_address, '@', ''))) + 1) from emails where seq = old.email)
    from count_marks where log = 'events' and old.seq > high
  ) where source_type is not null and domain is not null and what is not null;
end;

create trigger workspaces_uncounted after delete on workspaces begin
  delete from mail_counts where workspace = old.seq;
  delete from mail_group_counts where workspace = old.seq;
  delete from uncounted where workspace = old.seq;
end;
