-- Codes beside the password: an authenticator app (TOTP), and recovery codes for a lost one.

create table totp_secrets (
  person bigint primary key references users (seq) on delete cascade,
  secret text not null, -- base32, encrypted with the installation's key
  step bigint not null default 0, -- the newest one whose code was taken: no step is taken twice
  confirmed_at text, -- null = no code of the app was entered yet, so none is asked for
  created_at text not null
){strict};

create table recovery_codes (
  person bigint not null references users (seq) on delete cascade,
  hash text not null, -- of one that is still good
  primary key (person, hash)
){keyed};
