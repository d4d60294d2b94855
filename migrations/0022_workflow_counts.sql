-- Counting the people at each step of a workflow, and listing them (src/workflows/execution/count-queries.ts).

alter table execution_steps add column branch text; -- by which it was left; null = it has none, or was not left yet
create index execution_steps_at on execution_steps (step, status, execution, branch);
-- Few are among these, and hardly any change pays for them.
create index executions_stopped on executions (workflow, step, seq) where status = 'FAILED' and is_bare = 0;
create index executions_bare on executions (workflow, status) where is_bare = 1;

alter table workflow_versions add column created_at text; -- null: it was stored before this column
