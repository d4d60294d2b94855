-- Lists of mails by what happened to them (src/emails/list). What else happens to a mail shows in its state.
create index emails_opened on emails (workspace, seq) where opened_at is not null;
create index emails_clicked on emails (workspace, seq) where clicked_at is not null;
create index emails_left on emails (workspace, seq) where unsubscribed_at is not null;
