-- Browsers in which users have signed in: of a sign-in in another one, its user is told by email.

create table devices (
  person bigint not null references users (seq) on delete cascade,
  hash text not null, -- of what its cookie holds
  ends_at text not null, -- unless they sign in before
  primary key (person, hash)
){keyed};
create index devices_ending on devices (ends_at);
