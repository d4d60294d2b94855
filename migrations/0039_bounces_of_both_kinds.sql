-- A workspace's bounces, newest first: hard and soft.
drop index emails_bounced;
create index emails_bounced on emails (workspace, bounced_at) where status = 'BOUNCED';
