-- Sender domains: several DKIM keys each, and what became of the last look at their DNS records.
create table domain_keys (
  seq {serial},
  domain bigint not null references domains (seq) on delete cascade,
  selector text not null,
  public_key text not null, -- base64, the p= of the DNS record
  private_key text not null, -- PEM, encrypted with the installation's key; '' = forgotten
  active_from text, -- mails are signed with it from then on; null = not yet
  retired_at text, -- and no more from then on
  gone_at text, -- nobody needs to know of it any more
  created_at text not null
){strict};
create unique index domain_keys_by_selector on domain_keys (domain, selector);
create index domain_keys_by_time on domain_keys (domain, active_from);
create unique index domain_keys_signing on domain_keys (domain) where active_from is not null and retired_at is null;
create unique index domain_keys_next on domain_keys (domain) where active_from is null;

insert into domain_keys (domain, selector, public_key, private_key, active_from, created_at)
select seq, selector, public_key, private_key, created_at, created_at from domains;
alter table domains drop column selector;
alter table domains drop column public_key;
alter table domains drop column private_key;

alter table domains add column checks text; -- JSON: what each record was found to be
alter table domains add column checked_at text;
alter table domains add column next_check_at text;
alter table domains add column failing_since text; -- the DKIM record has not been found since
-- 1 = somebody said that it is verified, and nobody has seen its record yet: that it is missing is no news.
alter table domains add column taken_unseen smallint not null default 0;
update domains set taken_unseen = 1 where verified_at is not null;
update domains set next_check_at = created_at where removed_at is null;
create index domains_to_check on domains (next_check_at) where next_check_at is not null;
