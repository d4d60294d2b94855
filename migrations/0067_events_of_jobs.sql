-- Who of the team started the job that changed somebody (src/people/consent.ts): the audit list knows it by the job's id.

alter table events add column job text; -- public id of the import or bulk change; null = it came from none, or in a version before this column
create index audit_of_target on audit (workspace, target);
