-- Which mail server took a mail, or refused it. A few names; null = none was asked, or an older Posthorn has made the attempt.

create table hops (
  seq {serial},
  name text not null unique
){strict};
alter table emails add column hop bigint; -- that accepted it
alter table attempts add column hop bigint;
