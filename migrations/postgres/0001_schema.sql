-- What becomes due calls its workspace to the queue, unless it has an earlier turn there. Work that is deferred calls nobody. These are
-- triggers because many statements make work due, those of other versions of Posthorn on the same server as well: one that forgot its
-- turn would leave the work lying.
-- The turn that is relied on is held, so that nobody puts it off who does not see the work yet; at the end of the transaction, so
-- that nobody waits for it longer than a commit takes.
create function call_workspace() returns trigger language plpgsql as $$
declare
  called bigint := coalesce(new.workspace, 0);
  due text;
begin
  if tg_table_name = 'segments' then due := new.sweep_due_at; else due := new.due_at; end if;
  perform 1 from turns where workspace = called and queue = tg_argv[0] and due_at <= due for key share;
  if not found then
    insert into turns (workspace, queue, due_at) values (called, tg_argv[0], due)
    on conflict (workspace, queue) do update set due_at = excluded.due_at
    where turns.due_at is null or turns.due_at > excluded.due_at;
  end if;
  return null;
end $$;

create constraint trigger transactional_made after insert on emails deferrable initially deferred for each row
  when (new.due_at is not null and new.hold is null and new.lane = 0) execute function call_workspace('transactional');
create constraint trigger transactional_due after update of due_at, hold on emails deferrable initially deferred for each row
  when (new.due_at is not null and new.hold is null and new.lane = 0 and (old.due_at is null or new.due_at < old.due_at or old.hold is not null))
  execute function call_workspace('transactional');

create constraint trigger marketing_made after insert on emails deferrable initially deferred for each row
  when (new.due_at is not null and new.hold is null and new.lane = 1) execute function call_workspace('marketing');
create constraint trigger marketing_due after update of due_at, hold on emails deferrable initially deferred for each row
  when (new.due_at is not null and new.hold is null and new.lane = 1 and (old.due_at is null or new.due_at < old.due_at or old.hold is not null))
  execute function call_workspace('marketing');

create constraint trigger executions_made after insert on executions deferrable initially deferred for each row
  when (new.due_at is not null) execute function call_workspace('executions');
create constraint trigger executions_due after update of due_at on executions deferrable initially deferred for each row
  when (new.due_at is not null and (old.due_at is null or new.due_at < old.due_at))
  execute function call_workspace('executions');

create constraint trigger webhooks_made after insert on webhook_deliveries deferrable initially deferred for each row
  when (new.due_at is not null) execute function call_workspace('webhooks');
create constraint trigger webhooks_due after update of due_at on webhook_deliveries deferrable initially deferred for each row
  when (new.due_at is not null and (old.due_at is null or new.due_at < old.due_at))
  execute function call_workspace('webhooks');

create constraint trigger messages_made after insert on messages deferrable initially deferred for each row
  when (new.due_at is not null) execute function call_workspace('messages');
create constraint trigger messages_due after update of due_at on messages deferrable initially deferred for each row
  when (new.due_at is not null and (old.due_at is null or new.due_at < old.due_at))
  execute function call_workspace('messages');

create constraint trigger outbox_made after insert on outbox deferrable initially deferred for each row
  when (new.due_at is not null and new.for_endpoints = 0) execute function call_workspace('outbox');
create constraint trigger outbox_due after update of due_at on outbox deferrable initially deferred for each row
  when (new.due_at is not null and new.for_endpoints = 0 and (old.due_at is null or new.due_at < old.due_at))
  execute function call_workspace('outbox');

create constraint trigger endpoints_made after insert on outbox deferrable initially deferred for each row
  when (new.due_at is not null and new.for_endpoints = 1) execute function call_workspace('endpoints');
create constraint trigger endpoints_due after update of due_at on outbox deferrable initially deferred for each row
  when (new.due_at is not null and new.for_endpoints = 1 and (old.due_at is null or new.due_at < old.due_at))
  execute function call_workspace('endpoints');

create constraint trigger sweeps_made after insert on segments deferrable initially deferred for each row
  when (new.sweep_due_at is not null) execute function call_workspace('sweeps');
create constraint trigger sweeps_due after update of sweep_due_at on segments deferrable initially deferred for each row
  when (new.sweep_due_at is not null and (old.sweep_due_at is null or new.sweep_due_at < old.sweep_due_at))
  execute function call_workspace('sweeps');

-- The beginning of an address is a range of bytes, and only an index in their order serves it; what a database sorts by is its language.
create index contacts_starting on contacts (workspace, email collate "C");

-- Parts of names and addresses are found by their trigrams. A server that does not have them, or does not let us add them, reads the
-- contacts of the workspace instead.
do $$ begin
  create extension if not exists pg_trgm;
  create index contacts_sought on contacts using gin (sought gin_trgm_ops) with (gin_pending_list_limit = 512); -- kB: a search reads all of it
exception when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then null;
end $$;

-- Texts of mails are compressed by lz4, in a third of the time that pglz takes: 50 µs instead of 150 for
-- 10 KB of HTML. A server that was built without lz4, or is older than PostgreSQL 14 and so does not know these words, goes on as before.
do $$ begin
  execute 'alter table contents alter column html set compression lz4, alter column text set compression lz4';
  execute 'alter table raw_messages alter column bytes set compression lz4';
  execute 'alter table raw_slices alter column bytes set compression lz4';
  execute 'alter table attachments alter column bytes set compression lz4';
  execute 'alter table message_slices alter column bytes set compression lz4';
exception when feature_not_supported or syntax_error then null;
end $$;

-- A trigger, because attachments go with their content and their workspace.
create function drop_unused_file() returns trigger language plpgsql as $$
begin
  -- Of two transactions that each delete one of the last two, the second must see the first.
  perform 1 from files where seq = old.file for update;
  delete from files where seq = old.file and not exists (select 1 from attachments where file = old.file);
  return null;
end $$;
create trigger attachments_gone after delete on attachments for each row
  when (old.file is not null) execute function drop_unused_file();

-- A contact and the suppression of its address that are made at the same moment do not see each other: the contact would not be marked,
-- and the door would let its mail in. So the one waits until the other is over, and a contact that comes second is made again. Addresses
-- of a workspace share 256 locks, or a long list would take more than the server has. These are triggers because each statement that
-- writes contacts or suppressions has to take the locks of its rows.
create function address_lock(workspace bigint, address text) returns bigint language sql immutable as $$
  select (783::bigint << 48) + (workspace << 8) + (hashtext(address) & 255)
$$;
create function contacts_made() returns trigger language plpgsql as $$
declare
  lock bigint;
begin
  for lock in select distinct address_lock(workspace, email) as number from made order by number loop
    perform pg_advisory_xact_lock_shared(lock);
  end loop;
  if exists (select 1 from made m join suppressions s on s.workspace = m.workspace and s.target = m.email
    where m.suppressed is null and coalesce(s.until, '9') > m.created_at)
  then raise exception 'The address has just been suppressed.' using errcode = 'serialization_failure'; end if;
  return null;
end $$;
create trigger contacts_made after insert on contacts referencing new table as made
  for each statement execute function contacts_made();

-- A contact looks for suppressions once it has its new address.
create function contact_renamed() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(address_lock(new.workspace, new.email));
  return null;
end $$;
create trigger contact_renamed after update of email on contacts for each row execute function contact_renamed();

create function suppressions_changed() returns trigger language plpgsql as $$
declare
  lock bigint;
begin
  for lock in select distinct address_lock(workspace, target) as number from changed order by number loop
    perform pg_advisory_xact_lock(lock);
  end loop;
  return null;
end $$;
create trigger suppressions_made after insert on suppressions referencing new table as changed
  for each statement execute function suppressions_changed();
create trigger suppressions_changed after update on suppressions referencing new table as changed
  for each statement execute function suppressions_changed();
create trigger suppressions_lifted after delete on suppressions referencing old table as changed
  for each statement execute function suppressions_changed();
