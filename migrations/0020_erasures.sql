-- Contacts that are erased, as long as some of their history is left.
create table erasures (
  contact bigint primary key references contacts (seq) on delete cascade,
  begun_at text not null
){strict};
