-- What came later counts for waits, also while the execution stood at an earlier step. Null: started by an older Posthorn.
alter table executions add column after_event bigint;
