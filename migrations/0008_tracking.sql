-- Whether opens and clicks of a content's mails are looked for, and what machines (scanners, proxies) fetched of a mail.
alter table contents add column tracking smallint not null default 0;

create table machine_visits (
  email bigint not null references emails (seq) on delete cascade,
  number smallint not null,
  kind text not null check (kind in ('open', 'click')),
  at text not null,
  link text,
  primary key (email, number)
){strict};
