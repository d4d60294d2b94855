-- What one person, key or the command line has changed, and what each kind of them has.

create index audit_of_actor on audit (workspace, actor, seq);
create index audit_of_kind on audit (workspace, kind, seq);
