-- People who sign in: who they are, what they may do where, and what they did. Written by src/team.
--
--   users              people of the installation
--   memberships        their roles in workspaces
--   sessions           browsers in which they are signed in
--   passkeys           keys that they sign in with
--   spent_challenges   challenges that a passkey has answered
--   invitations        links that let somebody in, once
--   audit              who changed what

create table users (
  seq {serial},
  id text not null unique,
  email text not null unique, -- in lower case
  name text not null,
  is_owner smallint not null default 0 check (is_owner in (0, 1)),
  password_hash text, -- argon2id; null = signs in with a passkey
  needs_passkey smallint not null default 0 check (needs_passkey in (0, 1)), -- 1 = the password alone is not enough
  created_at text not null,
  updated_at text not null
){strict};
create index users_owning on users (seq) where is_owner = 1;

create table memberships (
  person bigint not null references users (seq) on delete cascade,
  workspace bigint not null references workspaces (seq) on delete cascade,
  role text not null check (role in ('ADMIN', 'DEVELOPER', 'MARKETER', 'EDITOR', 'SUPPORT')),
  created_at text not null,
  primary key (person, workspace)
){keyed};
create index memberships_of_workspace on memberships (workspace, person);

create table sessions (
  seq {serial},
  id text not null unique,
  person bigint not null references users (seq) on delete cascade,
  token_hash text not null unique,
  client text, -- what its browser calls itself
  proven_at text not null, -- when the person last proved who they are
  seen_at text not null,
  ends_at text not null, -- unless it is used before
  created_at text not null
){strict};
create index sessions_of_person on sessions (person, seq);
create index sessions_ending on sessions (ends_at);

create table passkeys (
  seq {serial},
  id text not null unique,
  person bigint not null references users (seq) on delete cascade,
  credential text not null unique, -- its id, in base64url
  public_key text not null, -- base64url
  counter bigint not null, -- how often it says it was used
  transports text not null, -- JSON array
  name text not null,
  used_at text,
  created_at text not null
){strict};
create index passkeys_of_person on passkeys (person, seq);

create table spent_challenges (
  hash text not null primary key,
  ends_at text not null -- the challenge is refused anyway from then on
){keyed};
create index spent_challenges_ending on spent_challenges (ends_at);

-- Of a workspace: for an address that is to get a role. Of a person: to set a new password. Of neither: for the first owner.
create table invitations (
  seq {serial},
  id text not null unique,
  token_hash text not null unique,
  workspace bigint references workspaces (seq) on delete cascade,
  person bigint references users (seq) on delete cascade,
  email text, -- in lower case
  role text not null check (role in ('OWNER', 'ADMIN', 'DEVELOPER', 'MARKETER', 'EDITOR', 'SUPPORT')),
  invited_by text, -- the name of the one who did
  ends_at text not null,
  created_at text not null
){strict};
create unique index invitations_to_workspace on invitations (workspace, email) where workspace is not null;
create index invitations_of_person on invitations (person) where person is not null;
create index invitations_ending on invitations (ends_at);

-- Names are as they were: an entry outlives the person.
create table audit (
  seq {serial},
  id text not null unique,
  workspace bigint references workspaces (seq) on delete cascade, -- null = of the installation
  kind text not null check (kind in ('PERSON', 'KEY', 'COMMAND_LINE')),
  actor text, -- public id of the user or key set
  actor_name text,
  action text not null, -- the name of the call
  target text, -- public id of what it changed
  request_id text,
  at text not null
){strict};
create index audit_of_workspace on audit (workspace, seq);
create index audit_by_time on audit (at);
