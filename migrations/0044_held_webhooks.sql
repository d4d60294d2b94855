-- The disabled workflow that a webhook waits for; nothing of it is due meanwhile.
alter table webhook_deliveries add column held bigint;
create index webhook_deliveries_held on webhook_deliveries (held) where held is not null;
