-- Signing in by OpenID Connect: who somebody is at a provider, and which roles it has given. A provider is named by its issuer.

create table identities (
  seq {serial},
  id text not null unique,
  person bigint not null references users (seq) on delete cascade,
  issuer text not null,
  subject text not null, -- the person there
  email text, -- there, if the provider has verified it
  used_at text, -- null = linked, and not signed in with since
  created_at text not null,
  unique (issuer, subject),
  unique (person, issuer)
){strict};

alter table users add column owner_by text; -- the provider that has made them an owner; null = a person has, or they are none
alter table memberships add column given_by text; -- the provider that decides the role; null = a person does
alter table sessions add column provider text; -- they signed in with it; null = with a password, a passkey or a link

-- An invited address that signs in joins.
create index invitations_to_address on invitations (email) where workspace is not null;
