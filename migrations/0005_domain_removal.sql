-- A domain that is removed stays for the mails that name it, without its key: to take it out of all of them at once would
-- hold up everybody else.

alter table domains add column removed_at text;
drop index domains_in_workspace;
create unique index domains_in_workspace on domains (workspace, domain) where removed_at is null;
create index domains_in_order on domains (workspace, seq) where removed_at is null;
