-- The mails of a workflow by the step that sent them (src/workflows/execution/counts.ts): those that wait, and those that failed.

alter table emails add column step_id text; -- public id; null = no workflow's, or of a version before this column

-- A mail is among these while it waits. The last two columns are for counting.
create index emails_at_step on emails (step_id, lane, seq, attempts, status) where step_id is not null and status = 'QUEUED';
create index emails_failed_at_step on emails (step_id, seq) where step_id is not null and status = 'FAILED';
