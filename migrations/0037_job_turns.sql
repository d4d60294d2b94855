-- A workspace's jobs on contacts run one after another, in the order in which they were accepted; and a job that failed says why.
alter table contact_jobs add column turn bigint not null default 0; -- its place among those of its workspace that are not over
alter table contact_jobs add column failure text; -- for people; null unless FAILED
create index contact_jobs_in_turn on contact_jobs (workspace, turn, seq) where status in ('PENDING', 'PROCESSING');
