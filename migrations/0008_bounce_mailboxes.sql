-- Mailboxes to which relays return mail: how far each has been read, and by which process.

create table bounce_mailboxes (
  name text primary key,
  place text not null, -- JSON: the server, the user and the folder that the rest is about
  position text, -- as the protocol has it; null = it was not looked at yet
  unmoved text not null default '[]', -- JSON array: messages that were taken, and may be in the folder still
  claimed_by text, -- the process that reads it; null = none does
  claimed_until text,
  looked_at text, -- the last look that worked; null = none has
  failing_since text, -- null = it can be read
  problem text -- why it cannot be read; null = it can
){strict};
