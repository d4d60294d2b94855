-- What became of a mail after it had left, and what its reader did: counted for mails and for the campaigns that they belong to.
alter table emails add column delivered_at text;
alter table emails add column complained_at text;
alter table emails add column opens bigint not null default 0;
alter table emails add column opened_at text; -- first
alter table emails add column clicks bigint not null default 0;
alter table emails add column clicked_at text; -- first
