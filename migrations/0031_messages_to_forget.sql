-- Messages that were handed in whole for several people of whom one has been erased: their headers may name that person, so they
-- go when all their mails are settled.
create table messages_to_forget (
  content bigint primary key references contents (seq) on delete cascade,
  since text not null
){strict};
