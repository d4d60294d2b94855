-- A selector is given to one key of a domain name only, whoever has the domain, now or before: the record of another may still
-- stand in the DNS, and a service may know the domain by it.
create index domains_by_name on domains (domain);
alter table domain_keys add column domain_name text; -- null = an older key has the same selector
update domain_keys set domain_name = (select domain from domains where seq = domain_keys.domain)
where not exists (
  select 1 from domains mine join domains others on others.domain = mine.domain join domain_keys older on older.domain = others.seq
  where mine.seq = domain_keys.domain and older.selector = domain_keys.selector and older.seq < domain_keys.seq);
create unique index domain_keys_by_name on domain_keys (domain_name, selector);
