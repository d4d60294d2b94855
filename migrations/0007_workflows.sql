-- Workflows as they are written. What is running keeps to the version on which it started.
create table workflows (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text not null,
  description text,
  enabled smallint not null check (enabled in (0, 1)),
  trigger_type text not null check (trigger_type in ('EVENT', 'MANUAL', 'SCHEDULE')),
  trigger_config text not null, -- JSON object
  allow_reentry smallint not null check (allow_reentry in (0, 1)),
  revision bigint not null default 1, -- one more with each change of its trigger, steps or transitions
  created_at text not null,
  updated_at text not null,
  deleted_at text -- nobody sees it any more, and its rows go little by little
){strict};
create index workflows_in_order on workflows (workspace, seq);
create index workflows_deleted on workflows (seq) where deleted_at is not null;

create table workflow_steps (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  workflow bigint not null references workflows (seq) on delete cascade,
  type text not null check (type in
    ('TRIGGER', 'SEND_EMAIL', 'DELAY', 'WAIT_FOR_EVENT', 'CONDITION', 'UPDATE_CONTACT', 'WEBHOOK', 'EXIT')),
  name text not null,
  config text not null, -- JSON object
  template bigint references templates (seq), -- it cannot be deleted while a step uses it
  position text, -- JSON: where a drawing of the workflow has it
  created_at text not null,
  updated_at text not null
){strict};
create index workflow_steps_in_order on workflow_steps (workflow, seq);
create index workflow_steps_of_workspace on workflow_steps (workspace);
create index workflow_steps_of_template on workflow_steps (template) where template is not null;

create table workflow_transitions (
  seq {serial},
  id text not null unique,
  workflow bigint not null references workflows (seq) on delete cascade,
  from_step bigint not null references workflow_steps (seq) on delete cascade,
  to_step bigint not null references workflow_steps (seq) on delete cascade,
  branch text, -- null = whatever the step has decided
  created_at text not null
){strict};
create index workflow_transitions_in_order on workflow_transitions (workflow, seq);
create index workflow_transitions_from on workflow_transitions (from_step);
create index workflow_transitions_to on workflow_transitions (to_step);
