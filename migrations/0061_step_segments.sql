-- What the steps of workflows need: as long as one does, it is not deleted.
--
--   step_segments   src/workflows/definition: segments that the conditions of steps name

create table step_segments (
  step bigint not null references workflow_steps (seq) on delete cascade,
  segment bigint not null references segments (seq),
  primary key (step, segment)
){strict};
create index steps_of_segment on step_segments (segment);

insert into step_segments (step, segment)
select s.seq, g.seq from workflow_steps s join segments g on g.workspace = s.workspace
where s.type = 'CONDITION' and s.config like '%"segment.' || g.id || '"%';
