-- What a workspace can set for itself, and what makes it possible to delete one.

alter table workspaces add column tracking text not null default 'ENABLED'
  check (tracking in ('ENABLED', 'DISABLED', 'MARKETING_ONLY'));
alter table workspaces add column language text not null default 'en';
alter table workspaces add column postal_address text; -- for the footer of marketing mail
alter table workspaces add column webhook_secret text; -- encrypted with the installation's key; null = made at the next start

-- When a workspace goes, its contents are found by these.
create index contents_of_workspace on contents (workspace);
create index contents_of_domain on contents (domain) where domain is not null;
