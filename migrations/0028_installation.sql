-- What tells the installation's key from others: what one key has encrypted here, no other can read.
create table installation (
  one smallint primary key check (one = 1),
  key_fingerprint text not null
){strict};
