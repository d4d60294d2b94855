-- What counts against a workspace, newest first.
create index emails_bounced on emails (workspace, bounced_at) where bounce_type = 'Permanent';
create index emails_complained on emails (workspace, complained_at) where complained_at is not null;
