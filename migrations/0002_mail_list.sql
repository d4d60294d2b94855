-- Finding mails, sending them again, and saying where they come from.
--
-- Each index is paid for by the mails that it holds, so all are partial but one. Nothing here is written when a transactional mail is accepted
-- except emails_waiting and, for a request by HTTP, contents_by_request; both grow at their right edge.

alter table emails add column workflow_id text; -- public id; the workflow may be deleted by now
alter table emails add column resent_from bigint; -- the mail that this one repeats
alter table emails add column resent_at text; -- when it was last sent again
alter table emails add column reply text; -- of the next hop that accepted it
alter table emails add column took_ms bigint; -- that hand-over

alter table attempts add column took_ms bigint;

alter table contents add column request_id text; -- of the request by HTTP that asked for it
alter table contents add column accepted_by text; -- JSON: who made it

-- A state's mails, newest first. A mail enters once it is settled, and moves only if a notice follows.
create index emails_settled on emails (workspace, status, seq) where due_at is null;
-- The queue, newest first, apart by lane: held mails have lanes of their own.
create index emails_waiting on emails (workspace, lane, seq) where due_at is not null;
-- Transactional mails are most of those that are in no other list.
create index emails_by_source on emails (workspace, source_type, seq) where source_type <> 'TRANSACTIONAL';
-- The second condition is always true: with it, only the list uses this index, and what campaigns count by keeps to theirs.
create index emails_in_campaign on emails (campaign, seq) where campaign is not null and source_type = 'CAMPAIGN';
create index emails_of_workflow on emails (workspace, workflow_id, seq) where workflow_id is not null;
create index emails_resent on emails (resent_from, seq) where resent_from is not null;
-- Recipients are found as contacts. These mails have none, or another one: the sender of mail from outside.
create index emails_to_others on emails (workspace, to_address) where (contact is null or source_type = 'INBOUND') and to_address <> '';

create index contents_by_message_id on contents (workspace, message_id) where message_id is not null;
create index contents_by_request on contents (workspace, request_id) where request_id is not null;
create index contents_of_template on contents (workspace, template_id) where template_id is not null;
