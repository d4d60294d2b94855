-- What becomes due calls its workspace to the queue, unless it has an earlier turn there. Work that is deferred calls nobody. These are
-- triggers because many statements make work due: one that forgot its turn would leave the work lying.

create trigger mails_made after insert on emails
when new.due_at is not null and new.hold is null begin
  insert into turns (workspace, queue, due_at)
  values (new.workspace, case new.lane when 0 then 'transactional' else 'marketing' end, new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger mails_due after update of due_at, hold on emails
when new.due_at is not null and new.hold is null and (old.due_at is null or new.due_at < old.due_at or old.hold is not null) begin
  insert into turns (workspace, queue, due_at)
  values (new.workspace, case new.lane when 0 then 'transactional' else 'marketing' end, new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

create trigger executions_made after insert on executions
when new.due_at is not null begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'executions', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger executions_due after update of due_at on executions
when new.due_at is not null and (old.due_at is null or new.due_at < old.due_at) begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'executions', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

create trigger webhooks_made after insert on webhook_deliveries
when new.due_at is not null begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'webhooks', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger webhooks_due after update of due_at on webhook_deliveries
when new.due_at is not null and (old.due_at is null or new.due_at < old.due_at) begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'webhooks', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

create trigger messages_made after insert on messages
when new.due_at is not null begin
  insert into turns (workspace, queue, due_at) values (coalesce(new.workspace, 0), 'messages', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger messages_due after update of due_at on messages
when new.due_at is not null and (old.due_at is null or new.due_at < old.due_at) begin
  insert into turns (workspace, queue, due_at) values (coalesce(new.workspace, 0), 'messages', new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

create trigger outbox_made after insert on outbox
when new.due_at is not null begin
  insert into turns (workspace, queue, due_at) values (new.workspace, case new.for_endpoints when 0 then 'outbox' else 'endpoints' end, new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger outbox_due after update of due_at on outbox
when new.due_at is not null and (old.due_at is null or new.due_at < old.due_at) begin
  insert into turns (workspace, queue, due_at) values (new.workspace, case new.for_endpoints when 0 then 'outbox' else 'endpoints' end, new.due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

create trigger sweeps_made after insert on segments
when new.sweep_due_at is not null begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'sweeps', new.sweep_due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;
create trigger sweeps_due after update of sweep_due_at on segments
when new.sweep_due_at is not null and (old.sweep_due_at is null or new.sweep_due_at < old.sweep_due_at) begin
  insert into turns (workspace, queue, due_at) values (new.workspace, 'sweeps', new.sweep_due_at)
  on conflict (workspace, queue) do update set due_at = excluded.due_at where due_at is null or due_at > excluded.due_at;
end;

-- Parts of names and addresses are found by their trigrams. What is deleted or changed is overwritten here too: by triggers, because
-- contacts also go with their workspace, and the index has to know exactly what they said.
create virtual table contacts_sought using fts5(
  sought, content = 'contacts', content_rowid = 'seq', detail = 'none', columnsize = 0, tokenize = 'trigram case_sensitive 1');
create virtual table contacts_trigrams using fts5vocab(contacts_sought, 'instance'); -- which there are
insert into contacts_sought (contacts_sought, rank) values ('secure-delete', 1);

-- The last contact that is in this index: a loop adds many at once, and a search reads the others as well.
create table contacts_sought_to (one integer primary key check (one = 1), seq integer not null) strict;
insert into contacts_sought_to (one, seq) values (1, 0);

create trigger contacts_sought_changed after update of sought on contacts
when old.sought <> new.sought and old.seq <= (select seq from contacts_sought_to where one = 1) begin
  insert into contacts_sought (contacts_sought, rowid, sought) values ('delete', old.seq, old.sought);
  insert into contacts_sought (rowid, sought) values (new.seq, new.sought);
end;
create trigger contacts_sought_deleted after delete on contacts when old.seq <= (select seq from contacts_sought_to where one = 1) begin
  insert into contacts_sought (contacts_sought, rowid, sought) values ('delete', old.seq, old.sought);
end;

-- A trigger, because attachments go with their content and their workspace.
create trigger attachments_gone after delete on attachments when old.file is not null begin
  delete from files where seq = old.file and not exists (select 1 from attachments where file = old.file);
end;
