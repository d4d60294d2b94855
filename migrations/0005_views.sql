-- What pages about a workspace look for.

-- Campaigns are few, and these fewer.
create index campaigns_under_way on campaigns (workspace, seq) where status = 'SENDING';

alter table webhook_attempts add column workspace bigint; -- null: written by an older Posthorn beside this one
update webhook_attempts set workspace =
  (select d.workspace from webhook_deliveries d where d.execution_step = webhook_attempts.execution_step);
create index webhook_attempts_in_order on webhook_attempts (workspace, at, execution_step, number) where workspace is not null;
create index webhook_attempts_failed on webhook_attempts (workspace, at, execution_step, number) where outcome = 'failed';
