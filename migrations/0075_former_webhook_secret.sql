-- A webhook secret that was replaced signs beside the new one for a day.

alter table workspaces add column former_webhook_secret text; -- encrypted
alter table workspaces add column former_webhook_until text;
