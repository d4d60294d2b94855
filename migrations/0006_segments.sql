-- Who belongs together: by hand (STATIC) or by a condition (DYNAMIC), with the members of both kept as rows.
create table segments (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text not null,
  slug text not null,
  description text,
  type text not null check (type in ('STATIC', 'DYNAMIC')),
  condition text, -- JSON, as the caller wrote it; null = STATIC
  track_membership smallint not null check (track_membership in (0, 1)),
  member_count bigint not null default 0, -- the rows of segment_members
  -- NEW: members are being found for the first time, nobody enters. CHANGED: found again, for the condition is another.
  state text not null check (state in ('NEW', 'CHANGED', 'CURRENT')),
  time_bound smallint not null check (time_bound in (0, 1)), -- 1 = members change while nothing happens but time
  sweep_due_at text, -- when all contacts are next gone through, or the lease of whoever does it; null = STATIC
  swept_to bigint not null default 0, -- a sweep under way has come to this contact
  sweep_end bigint not null default 0, -- and ends with this one; younger ones make themselves known
  swept_at text, -- when the sweep under way, or the last one, began
  created_at text not null,
  updated_at text not null
){strict};
create unique index segments_by_slug on segments (workspace, slug);
create index segments_in_order on segments (workspace, seq);
create index segments_to_sweep on segments (sweep_due_at) where sweep_due_at is not null;

create table segment_members (
  segment bigint not null references segments (seq) on delete cascade,
  contact bigint not null references contacts (seq) on delete cascade,
  entered_at text not null,
  primary key (segment, contact)
){keyed};
create index segments_of_contact on segment_members (contact, segment);

-- Conditions ask for the last event of a name that a contact has.
drop index events_of_contact;
create index events_of_contact on events (contact, name, seq) where contact is not null;
