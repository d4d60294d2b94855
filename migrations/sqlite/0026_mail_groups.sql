-- As 0003_mail_counts, with the template, the campaign and the recipient's domain.

drop trigger mails_failed;
drop trigger mails_unsubscribed;
drop trigger mails_gone;

create trigger mails_failed after update of failed_at on emails
when new.failed_at is not null and old.failed_at is null begin
  insert into uncounted (workspace, at, source_type, domain, what, template, campaign, recipient)
  select new.workspace, new.failed_at, new.source_type, substr(from_address, length(rtrim(from_address, replace(from_address, '@', ''))) + 1), 'failed',
    template_id, (select id from campaigns where seq = new.campaign), substr(new.to_address, length(rtrim(new.to_address, replace(new.to_address, '@', ''))) + 1)
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
  from contents, count_marks where contents.seq = old.content and count_marks.log = 'emails' and (old.seq > count_marks.high or old.seq <= count_marks.low);
end;

create trigger workspaces_group_counts after delete on workspaces begin
  delete from mail_group_counts where workspace = old.seq;
end;
