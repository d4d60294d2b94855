-- The selectors of DKIM keys whose domains went with their workspace: no key of the same domain name gets one of them, and a
-- service that sends may still know the domain by the last.
create table former_selectors (
  domain_name text not null,
  selector text not null,
  primary key (domain_name, selector)
){keyed};
