-- Mail from outside, byte by byte, in slices. It waits until it has been looked at, and belongs to a content from then on.
create table messages (
  seq {serial},
  workspace bigint references workspaces (seq) on delete cascade, -- null: for our return paths
  content bigint references contents (seq) on delete cascade, -- null: not looked at yet
  whole smallint not null check (whole in (0, 1)), -- 0: still coming in, or cut off on the way
  client_address text not null,
  helo text not null,
  sender text not null, -- of the envelope; '' = none
  recipients text not null, -- JSON array: those of the envelope in this workspace
  received_at text not null,
  due_at text, -- waits: not before this; in hand: the lease ends; coming in: given up after this; looked at: null
  attempts smallint not null default 0,
  files text -- JSON array: what is attached
){strict};
create index messages_due on messages (due_at) where due_at is not null;
create unique index messages_of_content on messages (content) where content is not null;

create table message_slices (
  message bigint not null references messages (seq) on delete cascade,
  number smallint not null,
  bytes {bytes} not null,
  primary key (message, number)
){strict};

-- The sender of the envelope of a message from outside; '' = none.
alter table contents add column return_path text;
