-- Whether the data of POST /v1/send stays with the contact (src/emails/send).
alter table workspaces add column send_data text not null default 'mail' check (send_data in ('mail', 'stored'));
