-- The domain with which an installation that only captures mail begins: it is taken away before mail really leaves.
alter table domains add column is_demo smallint not null default 0;
update domains set is_demo = 1 where domain = 'example.test' and taken_unseen = 1;
create index domains_demo on domains (seq) where is_demo = 1;
