-- Words in braces are written by the engine (src/store/migrations.ts).
-- `seq` is a row's place and its name inside; it never leaves the process and is never used again. `id` is its name outside.

create table workspaces (
  seq {serial},
  id text not null unique,
  name text not null unique,
  disabled_at text,
  created_at text not null,
  updated_at text not null
){strict};

create table key_sets (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text,
  public_hash text not null unique,
  secret_hash text not null unique,
  domains text, -- JSON array of sender domains; null = every verified domain of the workspace
  created_at text not null,
  revoked_at text
){strict};
create index key_sets_of_workspace on key_sets (workspace, seq);

create table domains (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  domain text not null,
  selector text not null,
  public_key text not null, -- base64, the p= of the DNS record
  private_key text not null, -- PEM, encrypted with the installation's key
  verified_at text,
  created_at text not null,
  updated_at text not null
){strict};
create unique index domains_in_workspace on domains (workspace, domain);
-- A domain is verified in one workspace only.
create unique index domains_verified on domains (domain) where verified_at is not null;

create table contacts (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  email text not null,
  subscribed smallint not null check (subscribed in (0, 1)),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'PENDING')),
  suppressed text check (suppressed in ('bounce', 'complaint')),
  data {json} not null,
  expires_at text,
  created_at text not null,
  updated_at text not null
){strict};
create unique index contacts_by_email on contacts (workspace, email);
create index contacts_in_order on contacts (workspace, seq);

create table templates (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text not null,
  description text,
  subject text not null,
  body text not null,
  text text,
  from_address text,
  from_name text,
  reply_to text,
  type text not null check (type in ('TRANSACTIONAL', 'MARKETING')),
  created_at text not null,
  updated_at text not null
){strict};
create index templates_in_order on templates (workspace, seq);

-- What one request asked to be sent: kept once, however many people get it. Not rendered yet.
create table contents (
  seq {serial},
  workspace bigint not null references workspaces (seq) on delete cascade,
  domain bigint references domains (seq) on delete set null,
  template_id text, -- public id; the template may be gone by now
  kind text not null check (kind in ('TRANSACTIONAL', 'MARKETING')),
  lenient smallint not null check (lenient in (0, 1)), -- inline source: what does not parse is left standing
  from_address text not null,
  from_name text,
  reply_to text,
  subject text not null,
  html text not null,
  text text, -- null = made from the HTML, '' = none
  headers text, -- JSON object
  data text, -- JSON object: variables of the request
  attachments smallint not null default 0
){strict};

create table attachments (
  content bigint not null references contents (seq) on delete cascade,
  position smallint not null,
  filename text not null,
  content_type text,
  disposition text not null check (disposition in ('attachment', 'inline')),
  content_id text,
  bytes {bytes} not null,
  primary key (content, position)
){strict};

-- One mail to one recipient. States and who moves them: src/emails/email.ts.
create table emails (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  contact bigint references contacts (seq) on delete cascade,
  content bigint not null references contents (seq),
  source_type text not null check (source_type in ('TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'INBOUND')),
  status text not null check (status in ('QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'FAILED', 'BOUNCED', 'COMPLAINED', 'RECEIVED')),
  lane smallint not null, -- 0 before 1: transactional mail does not wait behind a campaign
  due_at text, -- QUEUED: not before this. SENDING: the lease ends. Settled: null
  attempts smallint not null default 0,
  to_address text not null,
  to_name text,
  subject text, -- rendered; null = as in the content
  variables text, -- JSON object: the contact's data when the mail was accepted, if the content has variables
  remote_id text, -- the next hop's own name for the mail
  error text,
  created_at text not null,
  attempted_at text,
  sent_at text,
  failed_at text,
  bounced_at text
){strict};
create index emails_due on emails (lane, due_at) where due_at is not null;
create index emails_in_order on emails (workspace, seq);
create index emails_of_contact on emails (contact) where contact is not null;
create index emails_of_content on emails (content);

-- Attempts that did not end in SENT; the one that did is the email's own row.
create table attempts (
  email bigint not null references emails (seq) on delete cascade,
  number smallint not null,
  at text not null,
  outcome text not null,
  reply text not null,
  primary key (email, number, at)
){strict};

create table events (
  seq {serial},
  id text not null,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text not null,
  contact bigint references contacts (seq) on delete cascade,
  email bigint references emails (seq) on delete cascade,
  data {json} not null,
  created_at text not null
){strict};
create index events_in_order on events (workspace, seq);
create index events_by_name on events (workspace, name, seq);
create index events_of_contact on events (contact, seq) where contact is not null;
create index events_of_email on events (email, seq) where email is not null;

create table idempotency_keys (
  workspace bigint not null references workspaces (seq) on delete cascade,
  route text not null,
  key text not null,
  body_hash text not null,
  status smallint not null,
  body text not null,
  created_at text not null,
  primary key (workspace, route, key)
){strict};
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- The one bucket for all that leaves: the earliest moment at which the next mail may go.
create table pacers (
  name text primary key,
  next_at_ms {real} not null
){strict};
insert into pacers (name, next_at_ms) values ('outgoing', 0);
