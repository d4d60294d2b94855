-- A message that was handed in whole leaves as it is. It lies in a table of its own: in a row of contents, SQLite would have to
-- walk over it to reach any column after it.
create table raw_messages (
  content bigint primary key references contents (seq) on delete cascade,
  bytes {bytes} not null
){strict};
-- The message's own Message-ID; null = each mail has one that is made of its id.
alter table contents add column message_id text;
