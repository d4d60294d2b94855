-- As 0003_mail_counts, with the template, the campaign and the recipient's domain.

create or replace function note_failed() returns trigger language plpgsql as $$
begin
  insert into uncounted (workspace, at, source_type, domain, what, template, campaign, recipient)
  select new.workspace, new.failed_at, new.source_type, domain_of(from_address), 'failed',
    template_id, (select id from campaigns where seq = new.campaign), domain_of(new.to_address) from contents where seq = new.content;
  return null;
end $$;

create or replace function note_unsubscribed() returns trigger language plpgsql as $$
begin
  insert into uncounted (workspace, at, source_type, domain, what, template, campaign, recipient)
  select new.workspace, new.unsubscribed_at, new.source_type, domain_of(from_address), 'unsubscribed',
    template_id, (select id from campaigns where seq = new.campaign), domain_of(new.to_address) from contents where seq = new.content;
  return null;
end $$;

create or replace function note_mail_gone() returns trigger language plpgsql as $$
declare
  mark count_marks;
  sender text;
  template text;
  campaign text := (select id from campaigns where seq = old.campaign);
begin
  select domain_of(from_address), template_id into sender, template from contents where seq = old.content;
  select * into mark from count_marks where log = 'emails' for share;
  if old.status in ('QUEUED', 'SENDING') then
    insert into uncounted (workspace, at, source_type, domain, what, template, campaign, recipient)
    values (old.workspace, old.created_at, old.source_type, sender, 'cancelled', template, campaign, domain_of(old.to_address));
  end if;
  if old.seq > mark.high or old.seq <= mark.low then
    insert into uncounted (workspace, at, source_type, domain, what, template, campaign, recipient)
    values (old.workspace, old.created_at, old.source_type, sender, 'accepted', template, campaign, domain_of(old.to_address));
  end if;
  return null;
end $$;

create function forget_group_counts() returns trigger language plpgsql as $$
begin
  delete from mail_group_counts where workspace = old.seq;
  return null;
end $$;
create trigger workspaces_group_counts after delete on workspaces for each row execute function forget_group_counts();
