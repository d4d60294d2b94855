-- Executions that ended long ago lose their trace. One of each contact stays, bare, so that who may enter once does not enter again.
alter table executions add column is_bare smallint not null default 0 check (is_bare in (0, 1));
create index executions_ended on executions (ended_at) where ended_at is not null and is_bare = 0;
