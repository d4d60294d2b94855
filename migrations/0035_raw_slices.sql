-- A large message is stored in slices, of which raw_messages has the first: what is bound to a statement is copied, and for ten
-- megabytes at once the memory would come fresh from the system each time.
create table raw_slices (
  content bigint not null references contents (seq) on delete cascade,
  number integer not null, -- from 1 on
  bytes {bytes} not null,
  primary key (content, number)
){strict};
