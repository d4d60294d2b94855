-- What a public key, which everybody can read, may change of a contact that exists.
alter table workspaces add column public_update smallint not null default 1 check (public_update in (0, 1));
alter table workspaces add column public_unsubscribe smallint not null default 1 check (public_unsubscribe in (0, 1));
