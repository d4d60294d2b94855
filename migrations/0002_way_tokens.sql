-- Access tokens of ways out that log in with OAuth 2.0: all nodes use the same one, and one of them at a time gets the next.

create table way_tokens (
  way text primary key, -- its name
  secrets text not null, -- JSON object, encrypted with the installation's key: the tokens, and the settings that they are for
  ends_at text, -- the access token is good until then; null = there is none
  renew_at text not null, -- the next one is asked for then
  claimed_until text, -- a process is asking; null = none is
  problem text -- why there is no newer one; null = nothing is wrong
){strict};
