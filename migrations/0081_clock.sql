-- The latest moment that a server believed in, and since when its clock is in doubt: it says a moment that no run of the server explains.
alter table installation add column clock_seen_at text;
alter table installation add column clock_doubted_at text;
update installation set clock_seen_at = (select created_at from events order by seq desc limit 1);
