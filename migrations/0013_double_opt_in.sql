-- Double opt-in: a sign-up waits until the person confirms it.
alter table workspaces add column double_opt_in smallint not null default 0 check (double_opt_in in (0, 1));
alter table workspaces add column from_address text; -- of the mail that asks for confirmation
alter table workspaces add column from_name text;
create index contacts_pending on contacts (expires_at) where status = 'PENDING';
