-- The schema of Posthorn, for both engines. Words in braces are written by the engine (src/store/migrations.ts). Triggers follow in
-- sqlite/0001_schema.sql and postgres/0001_schema.sql. These files are those of 0.1.0: a change is a migration of its own, and only
-- comments and this map change here.
--
-- The map: each table and the room that writes it.
--
--   src/tenant/workspaces      workspaces            tenants: everything below belongs to one of them
--   src/tenant/access          key_sets              pairs of a public and a secret API key
--   src/tenant/domains         domains               sender domains and what the last check of their DNS records found
--                              domain_keys           DKIM keys of sender domains
--                              former_selectors      selectors of DKIM keys whose workspace was deleted
--   src/operator/hosts         link_hosts            hosts that workspaces have to themselves for links
--   src/audience/consent       consents              the ledger: what people agreed to, chained
--                              consent_tips          the newest number of each workspace's chain, signed
--                              consent_heads         what the tip was at the end of each day
--                              consent_wordings      what forms said when somebody agreed
--   src/audience/suppressions  suppressions          addresses and domains that get no mail
--   src/audience/contacts      contacts              people, by address
--                              contact_counts        how many contacts a workspace has, in shards
--                              import_changes        whom imports added and found, and what they changed
--                              import_exclusions     hashed addresses that waiting imports pass over: these people were erased
--                              former_addresses      addresses that contacts had before
--                              leaving_answers       why people left
--                              merges                contacts that were made one, for as long as that can be undone
--                              merged_contacts       who a contact that was merged is now
--   src/desk/people            merged_rows           which rows were those of a contact that was merged
--                              erasures              contacts whose history is being erased
--   src/desk/bulk              contact_jobs          imports and bulk changes
--                              contact_job_batches   rows of an uploaded file that wait to be imported
--                              contact_job_errors    the first errors of a job
--                              duplicate_searches    when contacts were looked through for duplicates
--                              duplicates            who may be the same person
--                              dismissed_duplicates  pairs that are not
--   src/tenant/events          events                what happened, to whom, by which mail
--                              outbox                events and changes not yet given to segments, workflows and endpoints
--                              interests             which segments, workflows and endpoints depend on which subjects
--   src/audience/topics        topics                what a workspace writes about
--   src/audience/segments      segments              groups of contacts, by hand or by a condition
--                              segment_members       their members
--                              segments_to_empty     deleted segments that still have members
--                              segment_sizes         how many members each had, by day
--   src/programs/forms         forms                 sign-up forms that anybody can open
--                              form_wordings         what their consents said, by version
--                              form_answers          what people entered and have not confirmed yet
--                              form_counts           how often each was seen, sent and confirmed, by day and site
--   src/content/images         images                pictures under public addresses
--                              image_uses            what names them
--   src/content/templates      templates             reusable mails
--                              versions              what templates and campaigns said before
--                              blocks                named pieces of mails
--                              brands                colours, logo, sender and footer of a workspace
--   src/mail/emails            soft_bounce_terms     how often soft bounces in a row suppressed an address
--                              contents              what one request asked to send; shared by its mails
--                              shared_contents       contents that several requests share, by digest
--                              attachments           files of a content
--                              files                 bytes that several of them share
--                              raw_messages          complete messages submitted by SMTP
--                              raw_slices            the rest of a large one
--                              messages_to_forget    complete messages to delete once their mails are settled
--                              emails                one mail to one recipient
--                              email_labels          tags and metadata by which mails are found
--                              retries               mails of a filter that are sent again
--                              retry_errors          why some of them were not
--                              email_attempts        hand-overs that failed
--                              machine_visits        opens and clicks by scanners and proxies
--   src/mail/statistics        mail_counts           what became of mails, by quarters of an hour
--                              mail_group_counts     the same by template, campaign, provider of the mailbox and tag; hours and days
--                              counted_tags          the tags that are counted
--                              mail_increments       what is not in them yet
--   src/sending/open-ways      pacers                the earliest moment at which the next mail may leave
--                              hops                  mail servers that were handed something
--   src/sending/delivery       brakes                mailbox providers that take a workspace's mail slowly, or not at all
--                              backlogs              what waits for the pace of a mailbox provider
--                              mailbox_domains       who keeps the mailboxes of a domain
--   src/ground/settings        kept_settings         what owners set in the interface in place of the configuration file
--   src/ground/way-tokens      way_tokens            access tokens of ways out that log in with OAuth 2.0
--   src/ground/ways            ways                  ways out that owners have added, and which ways are paused
--                              way_rules             which mails leave by which ways
--                              way_domains           whether ways take mail of sender domains
--   src/sending/warmup         warmups               plans by which new sender domains and ways out send a little more each day
--                              warmup_mailboxes      what each mailbox provider got of it today
--   src/programs/workflows     workflows             workflows as they are edited
--                              workflow_steps        their steps
--                              step_segments         segments that conditions of steps name
--                              workflow_transitions  their transitions
--                              workflow_versions     workflows as they were when an execution started
--                              executions            contacts on their way through a workflow
--                              execution_steps       what each step of an execution did
--                              missed_starts         events that started nothing, and why
--   src/programs/webhooks      webhook_endpoints     servers that are told of events
--                              webhook_events        what they are told
--                              webhook_deliveries    webhooks to send, for endpoints and for steps of executions
--                              webhook_attempts      tries to send them
--   src/programs/campaigns     campaigns             one mail to many contacts
--                              campaign_segments     segments that an audience is made of
--                              audience_pieces       people who are still to be made recipients
--                              recipients            the frozen audience
--                              pruned_mails          what became of mails that were pruned
--   src/mail/inbound           messages              mail from outside
--                              message_slices        its bytes
--                              notices               notices of Amazon SES and of providers that were processed
--                              bounce_mailboxes      mailboxes to which relays return mail, and how far each was read
--   src/mail/reports           reports               what receivers report on mail of sender domains
--                              dmarc_rows            what DMARC reports say, by source and result
--                              tls_rows              what TLS reports say, by kind of failure
--   src/mail/providers         provider_reports      when each provider of a relay last reported
--   src/desk/views             saved_views           filters of lists under names
--   src/desk/notes             notes                 what people of a team write to each other about a contact
--   src/desk/files             kept_files            what a directory of files keeps: templates, segments …
--   src/operator/team          users                 who may sign in
--                              memberships           their roles in workspaces
--                              sessions              where they are signed in
--                              devices               browsers in which they have signed in
--                              passkeys              their passkeys
--                              totp_secrets          their authenticator apps
--                              recovery_codes        in place of a code of a lost app
--                              identities            who they are at a provider of sign-ins
--                              spent_challenges      answers of passkeys that were used
--                              invitations           links that let somebody in
--                              audit                 who changed what
--   src/http                   idempotency_keys      stored answers, to be replayed
--                              answers_about         contacts that a stored answer names
--   src/store                  installation          the fingerprint of the key that encrypts secrets in this store, the latest moment seen
--                              turns                 places of workspaces in the queues they share
--                              schema_versions       migrations applied; made by the code that applies them
--   src/operator/backup        backups               copies that were made
--   src/operator/alerts        troubles              what needs the operator at present
--                              alerts                what the operator is still to be told
--   src/operator/watch         watch_findings        what only others can see, as it was found last
--                              watch_looks           when each look is due
--   src/operator/retention     prunings              how far old records are pruned
--
-- `seq` is a row's number inside the process: never shown, never used twice. `id` is its public id. Moments are ISO 8601 in UTC,
-- flags 0 or 1. A column with the name of another table's row holds the `seq` of one, or what the comment says; `person` is a user's, since
-- `user` is a word of SQL. A text that holds JSON says so.

-- Workspaces -----------------------------------------------------------------------------------------------------------------------

create table workspaces (
  seq {serial},
  id text not null unique,
  name text not null unique,
  language text not null default 'en',
  time_zone text, -- a name of the IANA's; null = none is set
  tracking text not null default 'ENABLED' check (tracking in ('ENABLED', 'DISABLED', 'MARKETING_ONLY')),
  postal_address text, -- in the footer of marketing mail
  double_opt_in smallint not null default 0 check (double_opt_in in (0, 1)),
  from_address text, -- sender of the mail that asks for confirmation
  from_name text,
  public_update smallint not null default 1 check (public_update in (0, 1)), -- a public key may change contacts
  public_unsubscribe smallint not null default 1 check (public_unsubscribe in (0, 1)), -- and unsubscribe them
  public_events text, -- JSON array: the names of the events that it may record; null = any
  complaint_scope text not null default 'marketing' check (complaint_scope in ('marketing', 'all')), -- what a complaint suppresses
  soft_bounces smallint not null default 5, -- so many in a row suppress an address; 0 = none do
  soft_bounce_days smallint not null default 7, -- that they are spread over
  send_data text not null default 'mail' check (send_data in ('mail', 'stored')), -- whether the data of a send stays with the contact
  search_fields text not null default '[]', -- JSON array: the keys of data that a search for contacts looks in, besides names
  search_prepared bigint, -- contacts up to this one are found by them; null = all
  page_fields text not null default '[]', -- JSON array: the fields of data that people see on their page, with names by language
  asks_why smallint not null default 1 check (asks_why in (0, 1)), -- that page asks why somebody leaves
  webhook_secret text not null, -- encrypted with the installation's key
  former_webhook_secret text, -- encrypted; signs beside the new one
  former_webhook_until text,
  marketing_stopped text, -- why no marketing mail leaves: too many bounces or complaints
  way_rules text, -- JSON array: what the door needs of the rules for ways; null = there are none
  mail_days bigint, -- how long records are kept, where that is shorter than in the installation; null = as there
  body_days bigint,
  event_days bigint,
  inbound_days bigint,
  attempt_days bigint,
  recipient_days bigint,
  link_host_at text, -- its host for links was set or removed; null = never
  disabled_at text,
  arriving_until text, -- it is coming in from a file, hidden, and is removed then unless that goes on; null = it is whole
  created_at text not null,
  updated_at text not null
){strict};
create index workspaces_arriving on workspaces (arriving_until) where arriving_until is not null;

create table key_sets (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text,
  public_hash text not null unique,
  secret_hash text not null unique,
  domains text, -- JSON array: the sender domains it is limited to; null = all of the workspace
  permissions text not null default 'full' check (permissions in ('full', 'send', 'read')),
  allowed_ips text, -- JSON array: the addresses and networks it may be used from; null = any
  expires_at text,
  former_secret_hash text unique, -- the secret before the last rotation
  former_secret_until text, -- until when that one is taken
  last_used_at text,
  created_at text not null,
  updated_at text not null, -- its name or its limits
  revoked_at text
){strict};
create index key_sets_of_workspace on key_sets (workspace, seq);

-- A removed domain stays, without its keys, for the mails that refer to it: clearing the reference in all of them would block
-- other writers.
create table domains (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  domain text not null,
  verified_at text,
  taken_unseen smallint not null default 0 check (taken_unseen in (0, 1)), -- 1 = verified by an operator; its record was never seen, so its absence is no news
  is_demo smallint not null default 0 check (is_demo in (0, 1)), -- 1 = of an installation that only captures mail: taken away before mail really leaves
  report_token text not null, -- in the address that reports on its mail come to
  checks text, -- JSON: what was found of each record
  checked_at text,
  next_check_at text,
  failing_since text, -- the DKIM record has been missing since
  lost_since text, -- another record that was in order has not been since
  created_at text not null,
  updated_at text not null,
  removed_at text
){strict};
create unique index domains_in_workspace on domains (workspace, domain) where removed_at is null;
-- A domain is verified in one workspace only.
create unique index domains_verified on domains (domain) where verified_at is not null;
create index domains_in_order on domains (workspace, seq) where removed_at is null;
create index domains_removed on domains (seq) where removed_at is not null;
create index domains_by_name on domains (domain);
create unique index domains_by_report_token on domains (report_token);
create index domains_demo on domains (seq) where is_demo = 1;
create index domains_to_check on domains (next_check_at) where next_check_at is not null;
create index domains_lost on domains (workspace, seq) where lost_since is not null and removed_at is null;

-- Hosts that workspaces have to themselves for links, pixels, pages and images.
create table link_hosts (
  seq {serial},
  workspace bigint not null references workspaces (seq) on delete cascade,
  host text not null,
  is_current smallint not null check (is_current in (0, 1)), -- 0: links in sent mails name it
  verified_at text, -- it was first found to lead here
  is_ready smallint not null default 0 check (is_ready in (0, 1)), -- it has a certificate, where it needs one
  failing_since text, -- it has not led here since
  misses smallint not null default 0, -- looks in a row that found something wrong
  problem text, -- JSON of code and values
  checked_at text,
  next_check_at text not null,
  tries smallint not null default 0, -- attempts at its certificate that failed, in a row
  try_at text, -- when the next may be made
  certificate_fault text, -- why the last one failed
  created_at text not null
){strict};
create unique index link_hosts_in_workspace on link_hosts (workspace, host);
create unique index link_hosts_current on link_hosts (workspace) where is_current = 1;
-- A host is one workspace's.
create unique index link_hosts_verified on link_hosts (host) where verified_at is not null;
create index link_hosts_to_check on link_hosts (next_check_at);

create table domain_keys (
  seq {serial},
  domain bigint not null references domains (seq) on delete cascade,
  domain_name text not null,
  selector text not null,
  public_key text not null, -- base64, the p= of the DNS record
  private_key text not null, -- PEM, encrypted with the installation's key; '' = destroyed
  active_from text, -- signs mails from then on; null = not yet
  retired_at text, -- and until then
  gone_at text, -- no longer shown
  created_at text not null
){strict};
create unique index domain_keys_by_selector on domain_keys (domain, selector);
-- A selector names one key of a domain, in all workspaces and forever: the record of an earlier key may still be in the DNS.
create unique index domain_keys_by_name on domain_keys (domain_name, selector);
create index domain_keys_by_time on domain_keys (domain, active_from);
create unique index domain_keys_signing on domain_keys (domain) where active_from is not null and retired_at is null;
create unique index domain_keys_next on domain_keys (domain) where active_from is null;

create table former_selectors (
  domain_name text not null,
  selector text not null,
  primary key (domain_name, selector)
){keyed};

create table installation (
  one smallint primary key check (one = 1),
  key_fingerprint text not null,
  held_at text, -- since when nothing leaves, after a restore or by `serve --hold`; null = it is not held
  served_by text, -- version and commit of the executable that served last
  clock_seen_at text, -- the latest moment that a server believed in
  clock_doubted_at text, -- since when its clock says a moment that no run of the server explains
  rules_saved_at text, -- when the rules for ways were saved last; null = never
  rules_saved_by text, -- JSON of kind, id and name
  returned_at text, -- when the first message came to a return path; null = none has
  test_clock_at text -- the time of the clock for tests that the store goes by; null = by the clock of its servers
){strict};

-- Team -----------------------------------------------------------------------------------------------------------------------------

create table users (
  seq {serial},
  id text not null unique,
  email text not null unique, -- in lower case
  address_proven smallint not null default 0 check (address_proven in (0, 1)), -- 1 = came in by a link that only its mailbox got
  name text not null,
  is_owner smallint not null default 0 check (is_owner in (0, 1)),
  password_hash text, -- argon2id; null = signs in with a passkey
  needs_passkey smallint not null default 0 check (needs_passkey in (0, 1)), -- 1 = the password alone is not enough
  hides_steps smallint not null default 0 check (hides_steps in (0, 1)), -- 1 = the overview shows them no first steps
  created_at text not null,
  updated_at text not null
){strict};
create index users_owning on users (seq) where is_owner = 1;

create table memberships (
  person bigint not null references users (seq) on delete cascade,
  workspace bigint not null references workspaces (seq) on delete cascade,
  role text not null check (role in ('ADMIN', 'DEVELOPER', 'MARKETER', 'EDITOR', 'SUPPORT')),
  created_at text not null,
  updated_at text not null,
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
  -- Over once that person may not make it any more; null = the command line or the first start.
  inviter bigint references users (seq) on delete cascade,
  mailed_only smallint not null default 0 check (mailed_only in (0, 1)), -- 1 = nobody but the recipient of its mail saw it
  ends_at text not null,
  created_at text not null
){strict};
create unique index invitations_to_workspace on invitations (workspace, email) where workspace is not null;
create index invitations_of_person on invitations (person) where person is not null;
create index invitations_of_inviter on invitations (inviter) where inviter is not null;
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
  target_kind text, -- the first part of the call's path
  target_name text, -- as it was then
  target_sought text, -- the name as a search looks in it (src/store/folded.ts)
  fields text, -- JSON array: the fields that the change named
  reason text, -- in the words of whoever did it
  request_id text,
  at text not null,
  -- Changes of one sitting are one entry: how many, and when the last of them was.
  times bigint not null default 1,
  last_at text not null
){strict};
create index audit_of_workspace on audit (workspace, seq);
create index audit_by_time on audit (at);
-- What one person, key or the command line has changed; what each kind of them has; what was done to one thing.
create index audit_of_actor on audit (workspace, actor, seq);
create index audit_of_kind on audit (workspace, kind, seq);
create index audit_of_target on audit (workspace, target);

-- Contacts -------------------------------------------------------------------------------------------------------------------------

create table contacts (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  email text not null,
  subscribed smallint not null check (subscribed in (0, 1)),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'PENDING')), -- PENDING: asked to confirm
  -- Why the address is suppressed: kept in step with `suppressions` (src/audience/suppressions).
  suppressed text check (suppressed in ('bounce', 'complaint', 'soft-bounces', 'manual', 'import', 'erased')),
  topics text, -- JSON object: what the person says of topics, by key; null = nothing
  paused_until text, -- marketing mail waits until then; one that has passed is no pause
  data {json} not null,
  data_queried {queried}, -- the same as conditions read it: PostgreSQL finds what is inside several times as fast in its own form, which
    -- does not keep the order of keys
  sought text not null default '', -- what a search looks in (src/audience/contacts/search/sought.ts)
  expires_at text, -- PENDING: removed then
  cause text, -- what added it: as in events
  created_at text not null,
  updated_at text not null
){strict};
create unique index contacts_by_email on contacts (workspace, email);
create index contacts_in_order on contacts (workspace, seq, sought); -- a search reads it and no contact
create index contacts_by_flag on contacts (workspace, subscribed, seq);
create index contacts_by_flag_and_email on contacts (workspace, subscribed, email);
-- By what mail they may get.
create index contacts_unsubscribed on contacts (workspace, seq) where subscribed = 0 and status = 'ACTIVE' and suppressed is null;
create index contacts_to_confirm on contacts (workspace, seq) where status = 'PENDING' and suppressed is null;
create index contacts_suppressed on contacts (workspace, seq, subscribed) where suppressed is not null;
create index contacts_pending on contacts (expires_at) where status = 'PENDING';
create index contacts_paused on contacts (paused_until) where paused_until is not null;

-- What people can leave while they keep the rest. Contacts, and mails of a topic, name it by its key, which never changes.
create table topics (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  key text not null,
  name text not null, -- JSON object: by language
  description text not null, -- as the name; may be empty
  "default" text not null check ("default" in ('in', 'out')), -- for those who have said nothing
  visible smallint not null check (visible in (0, 1)), -- 1 = on the page where people choose
  position smallint not null,
  updated_by text, -- JSON of kind, id and name
  created_at text not null,
  updated_at text not null
){strict};
create unique index topics_by_key on topics (workspace, key);

-- Only a change of the address, or a merge, writes one: the contact is found by it, and mail that went there.
create table former_addresses (
  workspace bigint not null references workspaces (seq) on delete cascade,
  address text{bytewise} not null,
  contact bigint not null references contacts (seq) on delete cascade,
  merged smallint not null check (merged in (0, 1)), -- 1 = of a contact that was merged into this one
  left_at text not null, -- who left it last is found by it
  primary key (workspace, address, contact)
){keyed};
create index former_addresses_of_contact on former_addresses (contact);

-- Contacts that were made one. For seven days that can be undone; until then the other contact stays, stripped as an erased one.
create table merges (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  contact bigint not null references contacts (seq) on delete cascade, -- who stays
  state text not null check (state in ('MOVING', 'MOVED', 'UNDOING')), -- MOVING: the rest of the history is on its way
  due_at text, -- the next piece; null = until it is forgotten there is nothing to do
  snapshot text not null, -- JSON: the contact as it was before, and right after
  unsubscribed_since smallint not null default 0 check (unsubscribed_since in (0, 1)), -- 1 = once more, though it was already
  topic_left_since smallint not null default 0 check (topic_left_since in (0, 1)), -- as that
  made_by text not null, -- JSON of kind, id and name
  created_at text not null
){strict};
create index merges_of_contact on merges (contact);
create index merges_in_order on merges (workspace, seq);
create index merges_due on merges (due_at, seq) where due_at is not null;
create index merges_by_age on merges (created_at);

create table merged_contacts (
  id text not null primary key, -- the public id that it had: links of its mails name it
  workspace bigint not null references workspaces (seq) on delete cascade,
  former bigint not null unique, -- its number, which audiences may still have
  contact bigint not null references contacts (seq) on delete cascade, -- who it is now
  merge bigint references merges (seq) on delete set null, -- null = it cannot be undone any more
  snapshot text, -- JSON: as it was
  campaigns_to bigint not null default 0 -- the campaign that moving it has reached
){strict};
create index merged_contacts_of_workspace on merged_contacts (workspace);
create index merged_contacts_of_contact on merged_contacts (contact);
create index merged_contacts_of_merge on merged_contacts (merge) where merge is not null;

create table merged_rows (
  former bigint not null references contacts (seq) on delete cascade,
  kind text not null, -- the table that they are in
  number bigint not null,
  moved text not null, -- their numbers, with commas between
  primary key (former, kind, number)
){keyed};

-- What the last search of a workspace has found.
create table duplicate_searches (
  workspace bigint primary key references workspaces (seq) on delete cascade,
  id text not null unique,
  state text not null check (state in ('RUNNING', 'COMPLETED')),
  due_at text, -- RUNNING: the lease of who is at work ends then
  is_cut smallint not null default 0 check (is_cut in (0, 1)), -- 1 = there are more than are kept
  begun_at text not null,
  found_at text,
  merge_job text -- public id of the last job that merges what it has found
){strict};
create index duplicate_searches_due on duplicate_searches (due_at) where due_at is not null;

create table duplicates (
  workspace bigint not null references workspaces (seq) on delete cascade,
  number bigint not null, -- of the group
  contact bigint not null references contacts (seq) on delete cascade,
  reason text not null check (reason in ('address', 'name')),
  primary key (workspace, number, contact)
){keyed};
create index duplicates_of_contact on duplicates (contact);

-- Somebody has said that they are not the same person. The smaller number first.
create table dismissed_duplicates (
  one bigint not null references contacts (seq) on delete cascade,
  other bigint not null references contacts (seq) on delete cascade,
  primary key (one, other)
){keyed};
create index dismissed_duplicates_of_other on dismissed_duplicates (other);

-- A workspace's count is the sum of its shards. Transactions that add contacts at the same time write different shards, so none waits.
create table contact_counts (
  workspace bigint not null references workspaces (seq) on delete cascade,
  shard smallint not null,
  total bigint not null,
  subscribed bigint not null,
  primary key (workspace, shard)
){strict};

-- States: src/desk/bulk/jobs/job.ts.
create table contact_jobs (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  operation text not null check (operation in ('IMPORT', 'SUPPRESS', 'SUBSCRIBE', 'UNSUBSCRIBE', 'TOPICS', 'JOIN', 'LEAVE', 'DELETE', 'UNDO', 'RENAME', 'MERGE')),
  status text not null check (status in ('STAGING', 'ABANDONED', 'PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  turn bigint not null default 0, -- its place among the unfinished jobs of its workspace
  due_at text not null, -- STAGING: abandoned then. PENDING, PROCESSING: the next batch. Else: its leftovers are removed
  selection text, -- JSON: which contacts; of an import, its terms
  position bigint not null default 0, -- how far the selection has been processed; of MERGE, the group
  total bigint not null default 0,
  processed bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  repeated bigint not null default 0, -- of those updated: rows whose address came before in the file
  failed bigint not null default 0,
  skipped bigint not null default 0, -- cells of an import that did not fit the type of their column
  file_name text, -- of an import
  made_by text, -- JSON: who began the import
  undone_by text, -- public id of the job that undoes the import
  attempts smallint not null default 0, -- of the current batch
  failure text, -- FAILED: why, for people
  created_at text not null
){strict};
create index contact_jobs_due on contact_jobs (due_at, seq);
create index contact_jobs_of_workspace on contact_jobs (workspace, status);
create index contact_imports on contact_jobs (workspace, seq) where operation = 'IMPORT';
create index contact_jobs_in_turn on contact_jobs (workspace, turn, seq) where status in ('PENDING', 'PROCESSING');

create table contact_job_batches (
  job bigint not null references contact_jobs (seq) on delete cascade,
  number bigint not null,
  content text not null, -- JSON array of rows (src/audience/csv/row.ts)
  primary key (job, number)
){strict};

create table contact_job_errors (
  job bigint not null references contact_jobs (seq) on delete cascade,
  place bigint not null, -- the row of the file, or the position in the list of contacts
  about text not null, -- the address, or the contact's id
  error text not null,
  cells text, -- JSON: the row was imported without these cells; null = it was not imported
  primary key (job, place)
){strict};
create index contact_job_errors_about on contact_job_errors (lower(about));

-- The numbers of an import open as lists, and it can be undone for seven days.
create table import_changes (
  job bigint not null references contact_jobs (seq) on delete cascade,
  contact bigint not null, -- not a foreign key: an erasure removes its rows
  former text, -- JSON: what the import changed, as it was before; null = it added the contact
  changed_at text not null, -- the contact's updated_at when the import was done with it
  primary key (job, contact)
){keyed};

-- Of an erased person only a keyed hash is kept, with the reason "erased". Of one target there is one for all mail and one for marketing
-- mail at most: the second stays where it ends later.
create table suppressions (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  kind text not null check (kind in ('address', 'domain', 'hash')),
  target text not null, -- an address or a domain in its stored form, or the hash
  reason text not null check (reason in ('bounce', 'complaint', 'soft-bounces', 'manual', 'import', 'erased')),
  former text, -- of a hash: the reason before the erasure
  scope text not null check (scope in ('all', 'marketing')),
  until text, -- null = for good
  note text,
  created_at text not null,
  updated_at text not null
){strict};
create unique index suppressions_by_target on suppressions (workspace, target, scope);
create index suppressions_in_order on suppressions (workspace, seq, target); -- a search reads it and no suppression
create index suppressions_by_reason on suppressions (workspace, reason, seq);
create index suppressions_of_domains on suppressions (workspace, target) where kind = 'domain';
create index suppressions_ending on suppressions (until) where until is not null;

-- After the next soft bounces in a row an address is suppressed for longer.
create table soft_bounce_terms (
  contact bigint primary key references contacts (seq) on delete cascade,
  address text not null, -- another one begins anew
  times smallint not null, -- how often it was suppressed for them
  at text not null -- when it last was: bounces until then do not count again
){strict};

-- Rows of waiting imports that name one of these people are skipped.
create table import_exclusions (
  workspace bigint not null references workspaces (seq) on delete cascade,
  hash text not null, -- keyed
  erased_at text not null,
  primary key (workspace, hash)
){strict};

-- Consent --------------------------------------------------------------------------------------------------------------------------

-- A row is written with the change that it tells of, and chained then or a moment later (src/audience/consent/chain.ts). Of an erased person the
-- number, the digest and the hash stay.
create table consents (
  seq {serial},
  workspace bigint not null references workspaces (seq) on delete cascade,
  contact bigint, -- not a foreign key: an erasure makes it null
  content text, -- JSON; null = erased
  number bigint, -- its place in the workspace's chain, from 1; null = not chained yet
  salt {bytes}, -- null = erased
  digest {bytes}, -- SHA-256 of salt and content
  hash {bytes} -- SHA-256 of the hash before it, the number and the digest
){strict};
create unique index consents_in_order on consents (workspace, number);
create index consents_of_contact on consents (contact, seq) where contact is not null;
create index consents_to_chain on consents (workspace, seq) where number is null;

create table consent_tips (
  workspace bigint not null primary key references workspaces (seq) on delete cascade,
  number bigint not null,
  hash {bytes} not null,
  at text not null,
  signature {bytes} not null -- Ed25519, by the installation's key
){strict};

create table consent_heads (
  workspace bigint not null references workspaces (seq) on delete cascade,
  number bigint not null,
  hash {bytes} not null,
  at text not null,
  signature {bytes} not null,
  primary key (workspace, number)
){strict};

create table consent_wordings (
  workspace bigint not null references workspaces (seq) on delete cascade,
  digest {bytes} not null, -- SHA-256
  text text not null,
  primary key (workspace, digest)
){strict};

-- Templates ------------------------------------------------------------------------------------------------------------------------

create table templates (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  alias text, -- another name in calls
  name text not null,
  description text,
  search_text text not null, -- name, subject and description, folded (src/store/folded.ts): lower() does not know every script
  type text not null check (type in ('TRANSACTIONAL', 'MARKETING')),
  from_address text,
  from_name text,
  reply_to text,
  published_version bigint, -- what is sent, until it is published again; null = what it says now
  published_at text,
  is_changed smallint not null default 0 check (is_changed in (0, 1)), -- 1 = it says something else than its published version
  updated_by text, -- JSON of kind, id and name
  created_at text not null,
  updated_at text not null,
  tags text, -- JSON array; null = none
  metadata text, -- JSON object of texts; null = none
  subject text not null,
  preheader text, -- beside the subject in a mailbox; null = none
  body text not null,
  text text,
  topic text, -- key of the topic of its marketing mail; null = none
  design text -- JSON of kind and source: what `body` was made from; null = it was written by hand
){strict};
create index templates_in_order on templates (workspace, seq);
create unique index templates_by_alias on templates (workspace, alias) where alias is not null;

-- Mails ----------------------------------------------------------------------------------------------------------------------------

-- Stored once, however many recipients get it, and not rendered. The large texts come last: SQLite walks over what precedes a column.
create table contents (
  seq {serial},
  workspace bigint not null references workspaces (seq) on delete cascade,
  domain bigint references domains (seq) on delete set null,
  template_id text, -- public id; the template may be deleted by now
  kind text not null check (kind in ('TRANSACTIONAL', 'MARKETING')),
  test smallint not null default 0 check (test in (0, 1)), -- 1 = a test copy, which needs no consent
  tracking smallint not null default 0 check (tracking in (0, 1)), -- 1 = opens and clicks of its mails are tracked
  private smallint not null default 0 check (private in (0, 1)), -- 1 = for its recipient alone: it holds a link that lets that person in
  passes_suppressions smallint not null default 0 check (passes_suppressions in (0, 1)), -- 1 = transactional mail that leaves whatever suppresses the address
  attachments smallint not null default 0,
  from_address text not null,
  from_name text,
  reply_to text,
  return_path text, -- of mail from outside: the sender of its envelope; '' = none
  message_id text, -- of a complete message: its own; null = made from each mail's id, or the group's
  group_id text, -- public id of the group that gets it as one message; null = each recipient has a mail of its own
  postal_address text, -- in its footer
  request_id text, -- of the request by HTTP that asked for it
  accepted_by text, -- JSON: who made it
  body_gone_at text, -- what it said was pruned; its mails are still known
  topic text, -- key of the topic that it is of; null = none
  reused_at text, -- when the last mail that repeats another one took it
  tags text, -- JSON array; null = none
  metadata text, -- JSON object of texts; null = none
  subject text not null,
  preheader text,
  headers text, -- JSON object
  data text, -- JSON object: variables of the request
  text text, -- null = made from the HTML, '' = none
  html text not null
){strict};
create index contents_by_request on contents (workspace, request_id);
create index contents_by_message_id on contents (workspace, message_id) where message_id is not null;
create index contents_by_group on contents (group_id) where group_id is not null;
create index contents_of_template on contents (workspace, template_id) where template_id is not null;
create index contents_of_domain on contents (domain) where domain is not null;
create index contents_for_team on contents (workspace) where private = 1;

-- Mails of a workflow are accepted one by one; the digest finds the content of those before.
create table shared_contents (
  workspace bigint not null references workspaces (seq) on delete cascade,
  digest text not null, -- SHA-256 of everything in the content
  content bigint not null references contents (seq) on delete cascade,
  used_at text, -- when a mail last took it, to half a day
  primary key (workspace, digest)
){strict};
create index shared_contents_of_content on shared_contents (content);

-- Bytes that the attachments of several contents share. They go with the last of these (the engine's own file).
create table files (
  seq {serial},
  bytes {bytes} not null
){strict};

create table attachments (
  content bigint not null references contents (seq) on delete cascade,
  position smallint not null,
  filename text not null,
  content_type text,
  disposition text not null check (disposition in ('attachment', 'inline')),
  content_id text,
  bytes {bytes} not null, -- '' = those of the file
  file bigint references files (seq),
  primary key (content, position)
){strict};
create index attachments_of_file on attachments (file) where file is not null;

-- The first slice of a message; the others are in raw_slices. A bound value is copied, and ten megabytes at once would take fresh
-- memory from the system each time.
create table raw_messages (
  content bigint primary key references contents (seq) on delete cascade,
  bytes {bytes} not null
){strict};

create table raw_slices (
  content bigint not null references contents (seq) on delete cascade,
  number bigint not null, -- from 1
  bytes {bytes} not null,
  primary key (content, number)
){strict};

-- A person who was erased may be named in the headers of a message that went to several people.
create table messages_to_forget (
  content bigint primary key references contents (seq) on delete cascade,
  since text not null
){strict};

-- States and their transitions: src/mail/emails/email.ts.
create table emails (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  contact bigint references contacts (seq) on delete cascade,
  content bigint not null references contents (seq),
  campaign bigint, -- not a foreign key: the check would need one more index on every mail
  workflow_id text, -- public id; the workflow may be deleted by now
  step_id text, -- public id of the step of the workflow
  source_type text not null check (source_type in ('TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'INBOUND')),
  status text not null check (status in
    ('QUEUED', 'SENDING', 'PERHAPS_DELIVERED', 'SENT', 'DELIVERED', 'FAILED', 'SKIPPED', 'CANCELLED', 'BOUNCED', 'COMPLAINED', 'RECEIVED')),
  lane smallint not null, -- 0 = transactional, 1 = marketing, which does not delay lane 0 (src/mail/emails/queue/holds.ts)
  hold text check (hold in ('workspace', 'campaign', 'operator', 'pace')), -- what it waits for besides its time; null = it is in turn
  due_at text, -- QUEUED, PERHAPS_DELIVERED: not before. SENDING: the lease ends. Settled: null
  attempts smallint not null default 0,
  repeats_left smallint, -- late repeats that are left; null = it never was PERHAPS_DELIVERED
  to_address text not null,
  to_name text,
  role text check (role in ('TO', 'CC', 'BCC')), -- in its group; null = it has none
  language text, -- of its footer; null = no footer
  subject text, -- rendered; null = as in the content
  variables text, -- JSON object: the contact's data at acceptance, if the content has variables
  remote_id text, -- the relay's or SES's id of the mail
  reply text, -- of the next hop that accepted it
  hop bigint, -- that hop
  rule bigint, -- the rule that says by which ways it leaves; null = none
  took_ms bigint, -- the hand-over that it accepted
  error text,
  bounce_type text check (bounce_type in ('Permanent', 'Transient')),
  opens bigint not null default 0,
  clicks bigint not null default 0,
  resent_from bigint, -- the mail that this one repeats
  resent_at text, -- when it was last sent again
  created_at text not null,
  attempted_at text,
  sent_at text,
  delivered_at text,
  failed_at text,
  skipped_at text,
  cancelled_at text,
  cancelled_by text, -- JSON of kind, id and name
  bounced_at text,
  complained_at text,
  opened_at text, -- first
  clicked_at text, -- first
  unsubscribed_at text, -- its reader unsubscribed by its link
  left_topic_at text, -- its reader left its topic by its link
  backlog bigint, -- its backlog, once it has waited for the pace of a mailbox provider (src/sending/delivery/pace); not a foreign key
  place smallint -- there: lower ones leave first
){strict};
create index emails_due on emails (lane, workspace, due_at, rule{hold}) where hold is null and due_at is not null;
-- Mails of rules, and those whose fate at a way out is unknown: claims for one way pass over all others.
create index emails_due_by_rule on emails (rule, lane, workspace, due_at) where rule is not null and hold is null and due_at is not null;
create index emails_due_at_hop on emails (hop, lane, workspace, due_at{hold}) where hop is not null and hold is null and due_at is not null;
-- Each of the following is paid for by the mails that it holds. An accepted mail that is transactional writes none but emails_waiting.
-- The queue, newest first, apart by lane, and what is held.
create index emails_waiting on emails (workspace, lane, seq) where hold is null and due_at is not null;
create index emails_held on emails (workspace, hold, lane, seq{due}) where hold is not null and due_at is not null;
-- A state's mails, newest first. A mail enters once it is settled, and moves only if a notice follows.
create index emails_settled on emails (workspace, status, seq) where due_at is null;
create index emails_paced on emails (backlog, lane, place, seq) where hold = 'pace' and due_at is not null;
create index emails_perhaps on emails (workspace, seq) where status = 'PERHAPS_DELIVERED';
create index emails_in_order on emails (workspace, seq);
-- Transactional mails are most of those that are in no other list.
create index emails_by_source on emails (workspace, source_type, seq) where source_type <> 'TRANSACTIONAL';
create index emails_of_contact on emails (contact) where contact is not null;
create index emails_of_content on emails (content);
create index emails_of_campaign on emails (campaign, status, opens, clicks, due_at) where campaign is not null and due_at is null;
create index emails_in_flight on emails (campaign, hold, due_at) where campaign is not null and due_at is not null;
-- The second condition is always true: with it, only the list uses this index, and what campaigns count by keeps to theirs.
create index emails_in_campaign on emails (campaign, seq) where campaign is not null and source_type = 'CAMPAIGN';
create index emails_perhaps_in_campaign on emails (campaign, due_at) where campaign is not null and status = 'PERHAPS_DELIVERED';
create index emails_of_workflow on emails (workspace, workflow_id, seq) where workflow_id is not null;
-- A mail is among these while it waits. The last two columns are for counting.
create index emails_at_step on emails (step_id, hold, lane, seq, attempts, status) where step_id is not null and status = 'QUEUED';
create index emails_failed_at_step on emails (step_id, seq) where step_id is not null and status = 'FAILED';
create index emails_resent on emails (resent_from, seq) where resent_from is not null;
-- Recipients are found as contacts. These mails have none, or another one: the sender of mail from outside.
create index emails_to_others on emails (workspace, to_address{bytewise})
  where (contact is null or source_type = 'INBOUND') and to_address <> '';
create index emails_opened on emails (workspace, seq) where opened_at is not null;
create index emails_clicked on emails (workspace, seq) where clicked_at is not null;
create index emails_left on emails (workspace, seq) where unsubscribed_at is not null;
create index emails_leaving_topic on emails (workspace, seq) where left_topic_at is not null;
create index emails_unsubscribed on emails (campaign) where unsubscribed_at is not null;
create index emails_left_topic on emails (campaign) where left_topic_at is not null;
create index emails_by_remote_id on emails (remote_id) where remote_id is not null;
create index emails_bounced on emails (workspace, bounced_at) where status = 'BOUNCED';
create index emails_complained on emails (workspace, complained_at) where complained_at is not null;

-- By which mails are found that have tags or metadata.
create table email_labels (
  email bigint not null references emails (seq) on delete cascade,
  name text not null, -- a tag; of metadata key=value
  workspace bigint not null,
  primary key (email, name)
){keyed};
create index email_labels_by_name on email_labels (workspace, name, email);

-- Filters of lists that people have kept under a name.
create table saved_views (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  person bigint references users (seq) on delete cascade, -- null = the whole workspace's
  list text not null, -- mails, people, campaigns or events
  name text not null,
  filter text not null, -- JSON object, in the words of the list's address
  created_at text not null
){strict};
create index saved_views_in_order on saved_views (workspace, seq);
create index saved_views_of_person on saved_views (person) where person is not null;

-- Mails that are sent again together. Few rows, kept for a month.
create table retries (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  status text not null check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'CANCELLED', 'FAILED')),
  domains text, -- JSON array: the sender domains of the key that asked for it; null = all of the workspace
  mails text not null, -- JSON array: the numbers of the mails, in their order
  total bigint not null,
  processed bigint not null default 0,
  resent bigint not null default 0,
  attempts smallint not null default 0, -- at the next batch
  due_at text, -- null = it is over
  failure text, -- FAILED: why, for people
  created_at text not null
){strict};
create index retries_of_workspace on retries (workspace, seq);
create unique index retries_unfinished on retries (workspace) where due_at is not null;
create index retries_due on retries (due_at, seq) where due_at is not null;
create index retries_over on retries (created_at) where due_at is null;

create table retry_errors (
  retry bigint not null references retries (seq) on delete cascade,
  email_id text not null, -- public id of the mail
  error text not null,
  primary key (retry, email_id)
){strict};

create table erasures (
  contact bigint primary key references contacts (seq) on delete cascade,
  begun_at text not null
){strict};

-- Delivery -------------------------------------------------------------------------------------------------------------------------

create table email_attempts (
  email bigint not null references emails (seq) on delete cascade,
  number smallint not null,
  at text not null,
  outcome text not null,
  reply text not null,
  took_ms bigint,
  hop bigint, -- the mail server that was asked, or without took_ms: that told of it later; null = none
  primary key (email, number, at)
){strict};
-- For who watches: posthorn tail. Few mails have one.
create index email_attempts_by_time on email_attempts (at);

-- Which mail server took a mail, or refused it. A few names.
create table hops (
  seq {serial},
  name text not null unique,
  mails_per_session bigint -- no more than these were taken; null = no limit was found
){strict};
-- A mailbox provider that asks a workspace to slow down, or takes none of its mail. Nothing else of it waits.
create table brakes (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  way text not null, -- its name: what a provider says is about the address that we send from
  mailbox text not null, -- the name of a provider; of any other server, the domain of the addresses
  per_hour bigint not null,
  full_per_hour bigint not null, -- at that rate it is let go
  next_at_ms {real} not null default 0, -- the earliest moment of the next mail
  paused_until text, -- null = it is slowed down
  pauses smallint not null default 0, -- in a row; each is longer than the one before
  hearsay smallint not null default 0 check (hearsay in (0, 1)), -- 1 = only reports asked for it: transactional mail does not wait
  reply text not null, -- what the provider said, without addresses
  since text not null,
  changed_at text not null,
  unique (workspace, way, mailbox)
){strict};
-- Mail of a sender domain to a mailbox provider, once some of it has waited for its pace: held by it.
create table backlogs (
  seq {serial},
  workspace bigint not null references workspaces (seq) on delete cascade,
  domain bigint not null, -- of the sender; 0 = of none that is there
  mailbox text not null,
  unique (workspace, domain, mailbox)
){strict};
-- Domains whose mailboxes a known provider keeps, by their MX records; forgotten after a day.
create table mailbox_domains (
  domain text primary key,
  provider text not null,
  found_at text not null
){strict};
create index mailbox_domains_found on mailbox_domains (found_at);

-- A sender domain, or a way out, that sends a little more each day. A domain has one from its first marketing mail on.
create table warmups (
  seq {serial},
  workspace bigint references workspaces (seq) on delete cascade, -- null = of a way out
  domain bigint unique, -- not a foreign key: what is removed keeps its history
  way text unique,
  state text not null check (state in ('RUNNING', 'PAUSED', 'HALTED', 'DONE', 'SKIPPED')),
  plan text not null, -- JSON: mails a day, for each provider and for all others
  day smallint not null, -- of the plan, from 1
  day_began_at text, -- with its first mail; null = it has not
  reason text, -- HALTED: what was too high; SKIPPED: what a person said
  judged_from text not null, -- what happened before does not count any more
  started_at text not null,
  planned_at text not null, -- the plan was saved
  changed_at text not null,
  check ((domain is null) <> (way is null))
){strict};
create table warmup_mailboxes (
  warmup bigint not null references warmups (seq) on delete cascade,
  mailbox text not null, -- the name of a provider
  sent bigint not null default 0, -- today
  next_at_ms {real} not null default 0, -- the earliest moment of the next marketing mail
  primary key (warmup, mailbox)
){strict};

create table pacers (
  name text primary key,
  next_at_ms {real} not null
){strict};
insert into pacers (name, next_at_ms) values ('outgoing', 0);

create table ways (
  seq {serial},
  name text not null unique,
  settings text, -- JSON object; null = the configuration has it, and only its pause is kept here
  secrets text, -- JSON object, encrypted with the installation's key
  paused_at text,
  created_at text not null,
  updated_at text not null -- its settings
){strict};

-- A rule that was removed stays without a position: mails that wait may carry its number.
create table way_rules (
  seq {serial},
  id text not null unique,
  position bigint, -- in the list; null = removed
  name text not null,
  workspace bigint references workspaces (seq) on delete cascade, -- null = of any
  domain text, -- of the sender; null = any
  kind text check (kind in ('TRANSACTIONAL', 'MARKETING')), -- null = both
  tag text, -- null = with any or none
  provider text, -- of the recipient's mailbox; null = any
  ways text not null, -- JSON array of names and weights
  others smallint not null check (others in (0, 1)) -- 1 = after them come the ways in their order
){strict};
create index way_rules_in_order on way_rules (position) where position is not null;

create table way_domains (
  way text not null, -- its name
  domain bigint not null references domains (seq) on delete cascade,
  state text not null check (state in ('OK', 'MISSING', 'WRONG', 'UNKNOWN')), -- WRONG = it does not take mail of the domain
  finding text not null, -- JSON: why, in words and for programs
  since text not null,
  primary key (way, domain)
){keyed};
create index way_domains_of_domain on way_domains (domain);
create index way_domains_refused on way_domains (way, domain) where state = 'WRONG';

create table machine_visits (
  email bigint not null references emails (seq) on delete cascade,
  number smallint not null,
  kind text not null check (kind in ('open', 'click')),
  at text not null,
  link text,
  primary key (email, number)
){strict};

-- Events ---------------------------------------------------------------------------------------------------------------------------

create table events (
  seq {serial},
  id text not null,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text not null,
  contact bigint references contacts (seq) on delete cascade,
  email bigint references emails (seq) on delete cascade,
  data {json} not null,
  cause text, -- what it came from: causeOf (src/tenant/access/caller.ts), or the public id of an import or bulk change
  created_at text not null
){strict};
create index events_in_order on events (workspace, seq);
create index events_by_name on events (workspace, name, seq);
-- Conditions ask for the last event of a name, people for all that somebody did.
create index events_of_contact on events (contact, name, seq) where contact is not null;
create index events_of_contact_in_order on events (contact, seq) where contact is not null;
create index events_of_email on events (email, seq) where email is not null;

-- No foreign keys: a row whose contact or event was deleted is skipped.
create table outbox (
  seq {serial},
  workspace bigint not null,
  subjects text not null, -- JSON array
  contact bigint,
  event bigint, -- null = a change that is not an event
  notice text, -- JSON: what endpoints alone are told; null = an event or a change
  for_endpoints smallint not null check (for_endpoints in (0, 1)), -- 0 = for segments and workflows, 1 = for endpoints: these can wait
  attempts smallint not null default 0,
  due_at text -- null = parked, because a consumer kept failing
){strict};
create index outbox_due on outbox (workspace, for_endpoints, due_at, seq) where due_at is not null;
create index outbox_parked on outbox (workspace, contact) where due_at is null;

create table interests (
  workspace bigint not null references workspaces (seq) on delete cascade,
  subject text not null, -- src/tenant/events/subjects.ts
  kind text not null, -- the consumer: 'segment', 'workflow' or 'endpoint'
  listener bigint not null, -- seq of the segment, workflow or endpoint
  primary key (workspace, subject, kind, listener)
){strict};

-- Segments -------------------------------------------------------------------------------------------------------------------------

create table segments (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text not null,
  slug text not null,
  description text,
  type text not null check (type in ('STATIC', 'DYNAMIC')),
  condition text, -- JSON, as the caller wrote it; null = STATIC
  track_membership smallint not null check (track_membership in (0, 1)), -- 1 = entering and leaving are events
  member_count bigint not null default 0, -- rows of segment_members
  state text not null check (state in ('NEW', 'CHANGED', 'CURRENT')), -- NEW: its first sweep is to come. CHANGED: a new condition
  time_bound smallint not null check (time_bound in (0, 1)), -- 1 = members change with time alone
  sweep_due_at text, -- the next sweep through all contacts, or the lease of the one that runs; null = STATIC
  swept_to bigint not null default 0, -- the contact that the sweep has reached
  sweep_end bigint not null default 0, -- its last contact; younger ones announce themselves
  swept_at text, -- start of the current or last sweep
  counted_on text not null default '', -- the last day in segment_sizes
  updated_by text, -- JSON of kind, id and name
  created_at text not null,
  updated_at text not null
){strict};
create unique index segments_by_slug on segments (workspace, slug);
create index segments_in_order on segments (workspace, seq);
create index segments_to_sweep on segments (workspace, sweep_due_at) where sweep_due_at is not null;
create index segments_to_count on segments (counted_on, seq);

-- `segment` is not a foreign key: members of a deleted segment are removed in batches, so that nobody waits.
create table segment_members (
  segment bigint not null,
  contact bigint not null references contacts (seq) on delete cascade,
  entered_at text not null,
  primary key (segment, contact)
){keyed};
create index segments_of_contact on segment_members (contact, segment);

create table segments_to_empty (
  segment bigint primary key, -- seq of a segment that no longer exists
  since text not null
){strict};

-- Written once a day for each segment, kept for 400 days.
create table segment_sizes (
  segment bigint not null references segments (seq) on delete cascade,
  day text not null, -- in UTC
  members bigint not null, -- soon after its beginning, or when the segment was made
  primary key (segment, day)
){keyed};

-- Workflows ------------------------------------------------------------------------------------------------------------------------

create table workflows (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text not null,
  description text,
  search_text text not null, -- name and description, folded (src/store/folded.ts)
  enabled smallint not null check (enabled in (0, 1)),
  trigger_type text not null check (trigger_type in ('EVENT', 'MANUAL', 'SCHEDULE')),
  trigger_config text not null, -- JSON object
  reentry text not null check (reentry in ('never', 'after-end', 'always')),
  entry_key text, -- always: a template; one running execution of a contact a key
  revision bigint not null default 1, -- plus one with each change of trigger, steps or transitions
  segment bigint references segments (seq), -- SCHEDULE: whose members start
  fires_at text, -- SCHEDULE: when the next members start; null = disabled
  fired_to bigint not null default 0, -- the member that the current start has reached
  updated_by text, -- JSON of kind, id and name
  created_at text not null,
  updated_at text not null,
  deleted_at text -- hidden; its rows are removed in batches
){strict};
create index workflows_in_order on workflows (workspace, seq);
create index workflows_deleted on workflows (seq) where deleted_at is not null;
create index workflows_firing on workflows (fires_at) where fires_at is not null;
create index workflows_of_segment on workflows (segment) where segment is not null;

create table workflow_steps (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  workflow bigint not null references workflows (seq) on delete cascade,
  type text not null check (type in
    ('TRIGGER', 'SEND_EMAIL', 'DELAY', 'WAIT_FOR_EVENT', 'CONDITION', 'UPDATE_CONTACT', 'WEBHOOK', 'EXIT')),
  name text not null,
  config text not null, -- JSON object
  template bigint references templates (seq), -- a template in use cannot be deleted
  position text, -- JSON: its place in a drawing
  created_at text not null,
  updated_at text not null
){strict};
create index workflow_steps_in_order on workflow_steps (workflow, seq);
create index workflow_steps_of_workspace on workflow_steps (workspace);
create index workflow_steps_of_template on workflow_steps (template) where template is not null;

-- Segments that conditions name: as long as a step does, they are not deleted.
create table step_segments (
  step bigint not null references workflow_steps (seq) on delete cascade,
  segment bigint not null references segments (seq),
  primary key (step, segment)
){strict};
create index steps_of_segment on step_segments (segment);

create table workflow_transitions (
  seq {serial},
  id text not null unique,
  workflow bigint not null references workflows (seq) on delete cascade,
  from_step bigint not null references workflow_steps (seq) on delete cascade,
  to_step bigint not null references workflow_steps (seq) on delete cascade,
  branch text, -- null = any branch
  created_at text not null
){strict};
create index workflow_transitions_in_order on workflow_transitions (workflow, seq);
create index workflow_transitions_from on workflow_transitions (from_step);
create index workflow_transitions_to on workflow_transitions (to_step);

-- Changed only where it names somebody who is erased. An execution stays on the version on which it started.
create table workflow_versions (
  seq {serial},
  workflow bigint not null references workflows (seq) on delete cascade,
  revision bigint not null,
  created_at text not null,
  definition text not null -- JSON
){strict};
create unique index workflow_versions_by_revision on workflow_versions (workflow, revision);

-- States and their transitions: src/programs/workflows/execution/execution.ts.
create table executions (
  seq {serial},
  id text not null unique,
  workspace bigint not null, -- not a foreign key: deleted with its contact and its workflow
  workflow bigint not null references workflows (seq) on delete cascade,
  version bigint not null,
  contact bigint not null references contacts (seq) on delete cascade,
  status text not null check (status in ('RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED')),
  step text, -- public id of its current step
  branch text, -- by which it leaves that step when due
  due_at text, -- when it goes on; null = when an event comes, or never
  awaits text, -- the name of that event
  event_name text, -- the event that started it; null = by hand
  after_event bigint, -- later events count for its waits; null = it ended before it began
  context text not null, -- JSON: data of the event that started it and of those it waited for
  once smallint check (once = 1), -- the contact never enters again
  -- What sets it apart from the contact's other executions in the workflow: '=' and its key, '#' and what started it; '' = nothing does.
  entry text not null default '',
  reason text, -- why it ended
  started_at text not null,
  ended_at text,
  is_bare smallint not null default 0 check (is_bare in (0, 1)) -- 1 = ended long ago: only kept so that nobody enters twice
){strict};
create index executions_due on executions (workspace, due_at) where due_at is not null;
create unique index executions_once on executions (workflow, contact) where once = 1;
create index executions_awaiting on executions (contact, awaits) where awaits is not null;
create index executions_in_order on executions (workflow, seq);
create index executions_by_status on executions (workflow, status, seq);
create index executions_of_contact on executions (contact, workflow, started_at);
create index executions_of_contact_in_order on executions (contact, seq);
create index executions_of_version on executions (version) where status in ('RUNNING', 'WAITING');
create index executions_ended on executions (ended_at) where ended_at is not null and is_bare = 0;
-- Few are among these, and hardly any change pays for them.
create index executions_stopped on executions (workflow, step, seq) where status = 'FAILED' and is_bare = 0;
create index executions_bare on executions (workflow, status) where is_bare = 1;
-- After the others: of indexes that serve it alike, SQLite takes the one that was made last.
create unique index executions_active on executions (workflow, contact, entry) where status in ('RUNNING', 'WAITING');

create table execution_steps (
  seq {serial},
  id text not null,
  execution bigint not null references executions (seq) on delete cascade,
  step text not null, -- public id
  status text not null check (status in ('WAITING', 'COMPLETED', 'SKIPPED', 'FAILED', 'CANCELLED')),
  output text, -- JSON
  branch text, -- by which it was left; null = it has none, or was not left yet
  started_at text not null,
  ended_at text
){strict};
create unique index execution_steps_once on execution_steps (execution, step);
create index execution_steps_at on execution_steps (step, status, execution, branch);

-- Events that a workflow listens to and that started nothing, the last of each workflow.
create table missed_starts (
  seq {serial},
  workflow bigint not null references workflows (seq) on delete cascade,
  contact bigint references contacts (seq) on delete cascade, -- null = the event has none
  event_id text not null,
  event_name text not null,
  reason text not null,
  created_at text not null
){strict};
create index missed_starts_in_order on missed_starts (workflow, seq);
create index missed_starts_of_contact on missed_starts (contact) where contact is not null;
create index missed_starts_by_time on missed_starts (created_at);

-- Webhooks -------------------------------------------------------------------------------------------------------------------------

-- Servers that are told of events.
create table webhook_endpoints (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  url text not null,
  description text,
  format text not null default 'posthorn' check (format in ('posthorn', 'resend', 'postmark')), -- whose webhooks they are like
  types text not null, -- JSON array: 'email.*', 'contact.updated' (src/programs/webhooks/endpoints/patterns.ts)
  tags text, -- JSON array; null = of all emails
  headers text not null, -- JSON object
  secret text not null, -- encrypted with the installation's key
  former_secret text, -- encrypted; signs beside the new one
  former_until text,
  enabled smallint not null default 1 check (enabled in (0, 1)),
  failing_since text, -- null = the last call got through
  off_at text, -- when it was switched off because it had failed for days
  deleted_at text, -- its deliveries are being deleted
  created_at text not null,
  updated_at text not null
){strict};
create index webhook_endpoints_of_workspace on webhook_endpoints (workspace, seq);
create index webhook_endpoints_deleted on webhook_endpoints (deleted_at) where deleted_at is not null;

-- What endpoints are told, kept so that it can be told again.
create table webhook_events (
  seq {serial},
  id text not null, -- of the event, if it is in the log
  workspace bigint not null references workspaces (seq) on delete cascade,
  type text not null,
  contact bigint references contacts (seq) on delete cascade,
  data text not null, -- JSON object
  is_test smallint not null default 0 check (is_test in (0, 1)), -- 1 = an example, for one endpoint
  created_at text not null
){strict};
create unique index webhook_events_in_order on webhook_events (workspace, id);
create index webhook_events_of_contact on webhook_events (contact) where contact is not null;

-- A call of a server: by a step of an execution, or of an endpoint about an event.
create table webhook_deliveries (
  seq {serial},
  id text not null, -- public: webhook-id of each attempt; that of the row of the trace, or of the event
  workspace bigint not null,
  execution_step bigint unique references execution_steps (seq) on delete cascade, -- null = an endpoint's
  execution bigint,
  endpoint bigint references webhook_endpoints (seq) on delete cascade, -- null = a step's
  event bigint references webhook_events (seq) on delete cascade,
  origin text not null, -- scheme, host and port, or 'endpoint' and its number: a silent one delays no other
  payload text, -- JSON: as it was when the execution reached the step; null = the event has it
  state text not null check (state in ('DUE', 'CALLING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  tries smallint not null default 0, -- since it was last sent by hand
  attempts smallint not null default 0,
  by_hand smallint not null default 0 check (by_hand in (0, 1)), -- 1 = the execution has gone on without it; sent though the endpoint is off
  held bigint, -- the disabled workflow that it waits for
  due_at text -- DUE: not before. CALLING: the lease ends. Settled or held: null
){strict};
create index webhook_deliveries_due on webhook_deliveries (workspace, due_at) where due_at is not null;
create index webhook_deliveries_by_origin on webhook_deliveries (workspace, origin, due_at) where due_at is not null;
create index webhook_deliveries_held on webhook_deliveries (held) where held is not null;
create unique index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint, id) where endpoint is not null;
create index webhook_deliveries_failed on webhook_deliveries (endpoint, id) where endpoint is not null and state = 'FAILED';
create index webhook_deliveries_of_event on webhook_deliveries (event) where event is not null;

-- Written before the request is made. No outcome: the process died on the way.
create table webhook_attempts (
  delivery bigint not null references webhook_deliveries (seq) on delete cascade,
  number smallint not null,
  workspace bigint not null,
  endpoint bigint, -- null = a step's
  at text not null,
  outcome text, -- 'delivered', 'later', 'failed'
  status smallint, -- of the HTTP response
  duration_ms bigint,
  answer text, -- the beginning of the response, or the error
  primary key (delivery, number)
){strict};
create index webhook_attempts_in_order on webhook_attempts (workspace, at, delivery, number) where endpoint is null;
create index webhook_attempts_failed on webhook_attempts (workspace, at, delivery, number) where outcome = 'failed' and endpoint is null;

-- Campaigns ------------------------------------------------------------------------------------------------------------------------

-- States and their transitions: src/programs/campaigns/campaign.ts.
create table campaigns (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text not null,
  description text,
  audience_type text not null check (audience_type in ('ALL', 'SEGMENT', 'FILTERED')),
  audience_condition text, -- FILTERED: JSON as it was given
  segment_id text, -- SEGMENT: public id; the segment may be deleted by now
  repeats text, -- JSON: the campaign that it goes again for, and the states of its recipients; null = it has an audience of its own
  status text not null default 'DRAFT' check (status in ('DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED')),
  paused smallint not null default 0 check (paused in (0, 1)),
  blocked text, -- why it cannot go on at the moment, for people
  due_at text, -- when the loop has work to do on it; null = none
  scheduled_for text,
  started_at text,
  sent_at text,
  cancelled_at text,
  cancelled_by text, -- JSON of kind, id and name
  deleted_at text, -- hidden; its rows are removed in batches
  content bigint references contents (seq), -- what its mails share, from the start on
  frozen_at text, -- each of its people is a recipient
  fed_to bigint not null default 0, -- the recipient that queueing has reached
  recipients_gone bigint not null default 0, -- whose rows were pruned
  skipped_gone bigint not null default 0, -- among them: nothing was queued
  from_address text not null,
  from_name text,
  reply_to text,
  updated_by text, -- JSON of kind, id and name
  created_at text not null,
  updated_at text not null,
  tags text, -- JSON array; null = none
  metadata text, -- JSON object of texts; null = none
  subject text not null,
  preheader text,
  body text not null,
  text text, -- null = made from the HTML, '' = none
  topic text, -- as in templates
  design text -- JSON, as in templates
){strict};
create index campaigns_in_order on campaigns (workspace, seq);
create index campaigns_under_way on campaigns (workspace, seq) where status = 'SENDING';
create index campaigns_begun on campaigns (workspace, started_at, seq) where started_at is not null;
create index campaigns_due on campaigns (due_at) where due_at is not null;
create index campaigns_of_content on campaigns (content) where content is not null;

-- Why people left, in one answer a mail (src/programs/preferences/leaving.ts). Of somebody who was erased, and of a mail whose record was pruned, only a
-- campaign's count is left.
create table leaving_answers (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  contact bigint references contacts (seq) on delete set null,
  email bigint references emails (seq) on delete set null, -- the mail whose link led there
  campaign bigint references campaigns (seq) on delete set null,
  topic text, -- the key of the one that was left; null = everything
  reason text not null check (reason in ('too-many', 'not-relevant', 'never-signed-up', 'other')),
  words text, -- the person's own
  created_at text not null,
  updated_at text not null
){strict};
create index leaving_answers_in_order on leaving_answers (workspace, seq);
create unique index leaving_answers_of_email on leaving_answers (email);
create index leaving_answers_of_campaign on leaving_answers (campaign, reason, seq) where campaign is not null;
create index leaving_answers_of_contact on leaving_answers (contact) where contact is not null;

-- What people of a team write to each other about a contact. Names are as they were: a note outlives both people.
create table notes (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  contact bigint not null references contacts (seq) on delete cascade,
  author text, -- public id of the user or key set
  author_name text,
  addressee text not null, -- public id of the user
  addressee_name text not null,
  text text not null,
  done smallint not null default 0 check (done in (0, 1)),
  done_at text,
  done_by text, -- the name of who marked it so
  created_at text not null
){strict};
create index notes_of_contact on notes (contact, done, seq desc);
create index notes_of_addressee on notes (workspace, addressee, done, seq);

-- Kept until the audience is frozen; until then these segments cannot be deleted.
create table campaign_segments (
  campaign bigint not null references campaigns (seq) on delete cascade,
  segment bigint not null references segments (seq),
  primary key (campaign, segment)
){strict};
create index campaigns_of_segment on campaign_segments (segment);

-- The people of a campaign that has begun, as they were found then, until they are recipients.
create table audience_pieces (
  campaign bigint not null references campaigns (seq) on delete cascade,
  number bigint not null,
  people text not null, -- contacts, with commas between
  primary key (campaign, number)
){keyed};

-- No foreign keys: `contact` outlives an erased person, `email` a discarded mail.
create table recipients (
  campaign bigint not null references campaigns (seq) on delete cascade,
  contact bigint not null,
  email bigint,
  reason text, -- why no mail was queued
  past text, -- JSON: what became of the mail, which was pruned
  primary key (campaign, contact)
){keyed};
create index recipients_skipped on recipients (campaign, reason) where reason is not null;
create index recipients_left_out on recipients (contact) where reason is not null;

-- Mails of campaigns that were pruned, by the state that they were in.
create table pruned_mails (
  campaign bigint not null references campaigns (seq) on delete cascade,
  status text not null,
  mails bigint not null,
  opened bigint not null,
  clicked bigint not null,
  hard_bounced bigint not null,
  refused bigint not null, -- among the BOUNCED ones: never left
  unsubscribed bigint not null,
  left_topic bigint not null,
  primary key (campaign, status)
){keyed};

-- Writing --------------------------------------------------------------------------------------------------------------------------

-- What templates and campaigns said before.
create table versions (
  seq {serial},
  id text not null,
  workspace bigint not null references workspaces (seq) on delete cascade,
  template bigint references templates (seq) on delete cascade, -- of this one, or of the campaign
  campaign bigint references campaigns (seq) on delete cascade,
  number bigint not null, -- from 1
  pinned smallint not null default 0 check (pinned in (0, 1)), -- 1 = something sends this version by its number: it stays as it is
  saved_by text, -- JSON of kind, id and name; null = not noted
  started_at text not null, -- when the first of the changes was saved that it holds
  saved_at text not null, -- and the last
  content {bytes} not null -- JSON, compressed by zstd
){strict};
create index versions_of_template on versions (template, seq) where template is not null;
create unique index versions_by_number on versions (template, number) where template is not null;
create index versions_of_campaign on versions (campaign, seq) where campaign is not null;
create index versions_of_workspace on versions (workspace);

-- Pictures under public addresses.
create table images (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  hash text not null unique, -- of the workspace and the bytes: the public address
  name text not null,
  type text not null check (type in ('png', 'jpg', 'gif', 'webp')),
  width bigint not null,
  height bigint not null,
  size bigint not null,
  created_by text, -- JSON of kind, id and name
  created_at text not null,
  bytes {bytes} not null
){strict};
create index images_in_order on images (workspace, seq);

create table blocks (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text not null,
  updated_by text, -- JSON of kind, id and name
  created_at text not null,
  updated_at text not null,
  body text not null, -- HTML
  design text -- JSON of kind and source
){strict};
create index blocks_in_order on blocks (workspace, seq);

create table brands (
  workspace bigint primary key references workspaces (seq) on delete cascade,
  updated_by text, -- JSON of kind, id and name
  updated_at text not null,
  brand text not null -- JSON
){strict};

-- One of the columns beside `image` says what names it. As images are not deleted in a cascade, such a row keeps its image.
create table image_uses (
  seq {serial},
  image bigint not null references images (seq),
  template bigint references templates (seq) on delete cascade,
  campaign bigint references campaigns (seq) on delete cascade,
  version bigint references versions (seq) on delete cascade,
  content bigint references contents (seq) on delete cascade,
  block bigint references blocks (seq) on delete cascade,
  brand bigint references brands (workspace) on delete cascade
){strict};
create index image_uses_of_image on image_uses (image);
create index image_uses_of_template on image_uses (template) where template is not null;
create index image_uses_of_campaign on image_uses (campaign) where campaign is not null;
create index image_uses_of_version on image_uses (version) where version is not null;
create index image_uses_of_content on image_uses (content) where content is not null;
create index image_uses_of_block on image_uses (block) where block is not null;
create index image_uses_of_brand on image_uses (brand) where brand is not null;

-- Forms ----------------------------------------------------------------------------------------------------------------------------

create table forms (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  key text not null unique, -- of its address, in the whole installation
  name text not null,
  enabled smallint not null check (enabled in (0, 1)),
  double_opt_in smallint not null check (double_opt_in in (0, 1)),
  wording bigint not null default 0, -- the version of its consent; 0 = it never had one
  segment bigint references segments (seq), -- STATIC; people join it
  settings text not null, -- JSON: texts, fields, consent, addresses
  updated_by text, -- JSON of kind, id and name
  created_at text not null,
  updated_at text not null
){strict};
create index forms_in_order on forms (workspace, seq);
create index forms_of_segment on forms (segment) where segment is not null;

-- They outlive their form: consents name them.
create table form_wordings (
  workspace bigint not null references workspaces (seq) on delete cascade,
  form_id text not null, -- its public id
  version bigint not null,
  wording text not null, -- JSON: a text for each language
  besides text not null, -- JSON: the same of what people get besides the topics that they choose
  created_at text not null,
  primary key (workspace, form_id, version)
){strict};

create table form_answers (
  seq {serial},
  form bigint not null references forms (seq) on delete cascade,
  workspace bigint not null references workspaces (seq) on delete cascade,
  address text not null,
  answer text not null, -- JSON: values, language, wording, where it came from
  contact bigint references contacts (seq) on delete cascade, -- null = nobody has been asked yet
  email_id text unique, -- public id of the mail whose link confirms it
  expires_at text, -- null = nobody has been asked yet
  created_at text not null
){strict};
create index form_answers_new on form_answers (seq) where contact is null;
create index form_answers_of_form on form_answers (form);
create index form_answers_of_contact on form_answers (contact) where contact is not null;
create index form_answers_at on form_answers (workspace, address);
create index form_answers_to_expire on form_answers (expires_at) where expires_at is not null;

create table form_counts (
  form bigint not null references forms (seq) on delete cascade,
  day text not null,
  site text not null, -- an origin; '' = the hosted page, or a program
  seen bigint not null default 0,
  sent bigint not null default 0,
  confirmed bigint not null default 0,
  primary key (form, day, site)
){strict};
create index form_counts_by_day on form_counts (day);

-- Mail from outside ----------------------------------------------------------------------------------------------------------------

create table messages (
  seq {serial},
  workspace bigint references workspaces (seq) on delete cascade, -- null = to a return path
  content bigint references contents (seq) on delete cascade, -- null = not read yet
  whole smallint not null check (whole in (0, 1)), -- 0 = still arriving, or cut off
  client_address text not null,
  helo text not null,
  sender text not null, -- of the envelope; '' = none
  recipients text not null, -- JSON array: envelope recipients in this workspace
  received_at text not null,
  due_at text, -- waits: not before. Claimed: the lease ends. Arriving: given up then. Read: null
  attempts smallint not null default 0,
  unread_at text, -- when it last stopped the reading thread, alone; null = never
  files text -- JSON array: its attachments
){strict};
create index messages_unread on messages (unread_at) where unread_at is not null;
create index messages_due on messages (coalesce(workspace, 0), due_at) where due_at is not null;
create index messages_of_workspace on messages (workspace) where workspace is not null;
create unique index messages_of_content on messages (content) where content is not null;

create table message_slices (
  message bigint not null references messages (seq) on delete cascade,
  number bigint not null, -- from 0
  bytes {bytes} not null,
  primary key (message, number)
){strict};

-- Reports on mail of sender domains (RFC 7489, RFC 9990, RFC 8460): src/reports.
create table reports (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  domain bigint not null references domains (seq) on delete cascade, -- whose address it came to
  kind text check (kind in ('DMARC', 'TLS')), -- null = it could not be read
  state text not null check (state in ('COUNTED', 'OTHER_DOMAIN', 'UNPROVEN', 'UNREADABLE')),
  fault text, -- UNREADABLE: why
  sender text, -- the domain in the field From of its mail
  organization text, -- that wrote it, as it says; the next four as well
  report_id text,
  policy_domain text,
  begun_at text,
  ended_at text,
  policy text, -- JSON object: the tags of the policy that the receiver found
  messages bigint not null default 0, -- or sessions
  passed bigint not null default 0,
  lost bigint not null default 0, -- so many of its rows could not be read
  repeats bigint not null default 0, -- it came so often again
  message bigint, -- of an unreadable one: its bytes, in messages
  created_at text not null
){strict};
-- The same report counts once; some receivers use an id again each day, and some send a report in parts.
create index reports_counted on reports (domain, report_id, begun_at) where state = 'COUNTED';
create index reports_of_domain on reports (domain, seq);
create index reports_of_workspace on reports (workspace, seq);

create table dmarc_rows (
  report bigint not null references reports (seq) on delete cascade,
  number bigint not null,
  domain bigint not null references domains (seq) on delete cascade, -- the nearest sender domain of its author
  day text not null, -- 2026-03-01
  ip text not null, -- '' = of several, beyond those that are named
  header_from text not null,
  messages bigint not null,
  disposition text not null check (disposition in ('none', 'quarantine', 'reject')),
  dkim smallint not null check (dkim in (0, 1)), -- 1 = passed for an aligned domain
  spf smallint not null check (spf in (0, 1)),
  dkim_domain text not null, -- as found, also if it failed; '' = none
  dkim_selector text not null,
  dkim_result text not null,
  spf_domain text not null,
  spf_result text not null,
  override text not null, -- why the receiver did not do as the policy says; '' = it did
  origin text not null check (origin in ('OWN', 'FORWARDED', 'KNOWN', 'UNKNOWN')),
  provider text not null, -- whose server it is; '' = not known
  host text not null, -- the confirmed name of the address; '' = none
  primary key (report, number)
){strict};
create index dmarc_rows_by_day on dmarc_rows (domain, day);

create table tls_rows (
  report bigint not null references reports (seq) on delete cascade,
  number bigint not null,
  domain bigint not null references domains (seq) on delete cascade,
  day text not null,
  policy_type text not null, -- sts, tlsa, no-policy-found
  result text not null, -- '' = encrypted as it should be
  host text not null, -- of ours; '' = not said
  ip text not null, -- of theirs
  sessions bigint not null,
  primary key (report, number)
){strict};
create index tls_rows_by_day on tls_rows (domain, day);

-- A notice counts once, however often SES sends it.
create table notices (
  id text primary key,
  seen_at text not null
){strict};
create index notices_by_age on notices (seen_at);

-- When each provider of a relay has last reported something, to the minute.
create table provider_reports (
  provider text primary key,
  reported_at text not null
){strict};

-- Statistics -----------------------------------------------------------------------------------------------------------------------

-- What became of mails, by quarters of an hour: time zones differ from UTC by whole quarters.
-- `workspace` is not a foreign key: who counts waits for nobody.
create table mail_counts (
  workspace bigint not null,
  quarter text not null, -- 2026-03-01T09:15
  source_type text not null,
  domain text not null, -- of the sender
  accepted bigint not null default 0,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  hard_bounced bigint not null default 0,
  soft_bounced bigint not null default 0,
  complained bigint not null default 0,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  unsubscribed bigint not null default 0,
  left_topic bigint not null default 0,
  skipped bigint not null default 0,
  cancelled bigint not null default 0,
  primary key (workspace, quarter, source_type, domain)
){keyed};

-- The same by groups, and sums by hours and days, so that long spans are added up in time.
create table mail_group_counts (
  workspace bigint not null,
  kind text not null, -- template, campaign, provider, tag, hop, by quarters; these and "mails" with " by hour" and " by day"
  quarter text not null, -- 2026-03-01T09:15
  name text not null, -- public id of the template or campaign; the provider; of mails the source type and domain
  accepted bigint not null default 0,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  hard_bounced bigint not null default 0,
  soft_bounced bigint not null default 0,
  complained bigint not null default 0,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  unsubscribed bigint not null default 0,
  left_topic bigint not null default 0,
  skipped bigint not null default 0,
  cancelled bigint not null default 0,
  primary key (workspace, kind, quarter, name)
){keyed};

-- The tags that are counted: at most 1,000 a workspace.
create table counted_tags (
  workspace bigint not null,
  name text not null,
  used_on text not null, -- day
  uses bigint not null, -- mails accepted with it since it is counted
  primary key (workspace, name)
){keyed};

-- What has become of mails and is not in the sums yet: written with the change itself, removed once it is counted. The last of
-- these tables, so that it is emptied first: that waits for a process that is counting some of them, and its sums go as well.
create table mail_increments (
  seq {serial},
  workspace bigint not null,
  quarter text not null, -- 2026-03-01T09:15
  source_type text not null,
  domain text not null, -- of the sender
  what text not null, -- a column of mail_counts
  template text, -- public id
  campaign text, -- public id
  provider text not null, -- of the recipient's mailbox
  tags text, -- JSON array; null = none
  hop text, -- the number of the mail server that took or refused it; null = none was asked
  times bigint not null -- facts of one transaction that are alike
){strict};

-- Idempotency ----------------------------------------------------------------------------------------------------------------------

create table idempotency_keys (
  workspace bigint not null references workspaces (seq) on delete cascade,
  route text not null,
  key text not null,
  body_hash text not null,
  caller text, -- who made the request: its answer is repeated to nobody else; null = a client of SMTP
  status smallint not null,
  body text not null,
  created_at text not null,
  primary key (workspace, route, key)
){strict};
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- An answer is erased with the person it names.
create table answers_about (
  contact bigint not null references contacts (seq) on delete cascade,
  workspace bigint not null,
  route text not null,
  key text not null,
  primary key (contact, workspace, route, key),
  foreign key (workspace, route, key) references idempotency_keys (workspace, route, key) on delete cascade
){strict};
create index answers_about_by_key on answers_about (workspace, route, key);

-- Turns ----------------------------------------------------------------------------------------------------------------------------

-- Workspaces take turns at each queue (src/store/turns.ts). `due_at` is never later than the first work of the workspace there: triggers
-- keep it so, for old processes as well. A turn that comes too early finds nothing and does no harm.
create table turns (
  workspace bigint not null, -- 0 = none: messages to return paths
  queue text not null,
  due_at text, -- null = nothing waits
  served bigint not null default 0, -- turns taken; of those due at one moment, the least served is next
  primary key (workspace, queue)
){keyed};
create index turns_due on turns (queue, due_at, served) where due_at is not null;

-- Care -----------------------------------------------------------------------------------------------------------------------------

-- What needs the operator, and what the operator is still to be told of it, only where [alerts] says whom to tell.
create table troubles (
  key text primary key, -- the same for as long as it is the same trouble
  text text not null,
  since text not null,
  seen_at text not null, -- it is over once nobody sees it any more
  told_at text -- null = it may be over in a moment
){strict};

-- What only others can see of this server and its sender domains, as the last looks found it.
create table watch_findings (
  key text primary key,
  look text not null,
  aspect text not null,
  subject text not null, -- a name or an address
  list text not null, -- the blocklist, or the name that an address should have; '' for the others
  domain bigint references domains (seq) on delete cascade,
  state text not null check (state in ('OK', 'WRONG', 'UNKNOWN')),
  detail text,
  since text not null, -- in this state since that look
  answered_at text not null, -- when somebody last answered
  looked_at text not null
){strict};
create index watch_findings_wrong on watch_findings (since, key) where state = 'WRONG';
create index watch_findings_by_look on watch_findings (look, looked_at);
create index watch_findings_of_domain on watch_findings (domain) where domain is not null;

create table watch_looks (
  name text primary key,
  due_at text not null,
  position bigint not null, -- of a long look: the sender domain that was looked at last
  begun_at text not null
){strict};

create table alerts (
  seq {serial},
  recipient text not null, -- an address, or "webhook"
  content text not null, -- JSON (src/operator/alerts/words.ts)
  attempts smallint not null default 0,
  due_at text not null,
  created_at text not null
){strict};
create index alerts_due on alerts (due_at, seq);

-- Which backups were made, by schedule or by hand. A row without an end: it is being made, or the process that made it has died.
create table backups (
  seq {serial},
  started_at text not null,
  ended_at text,
  name text not null,
  scheduled smallint not null default 0 check (scheduled in (0, 1)),
  bytes bigint,
  error text
){strict};

-- How far each workspace's rows have been gone through to remove the old ones.
create table prunings (
  workspace bigint not null references workspaces (seq) on delete cascade,
  kind text not null,
  reached bigint not null default 0, -- the last row that was looked at
  furthest bigint not null default 0, -- the last row that was ever looked at
  begun_at text not null, -- when it was begun with the first row
  primary key (workspace, kind)
){keyed};
