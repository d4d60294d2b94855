-- Whom a stored answer names, so that it goes with the person.
create table answers_about (
  contact bigint not null references contacts (seq) on delete cascade,
  workspace bigint not null,
  route text not null,
  key text not null,
  primary key (contact, workspace, route, key),
  foreign key (workspace, route, key) references idempotency_keys (workspace, route, key) on delete cascade
){strict};
create index answers_about_by_key on answers_about (workspace, route, key);

create index contact_job_errors_about on contact_job_errors (lower(about));
