-- The names of the events that a public key may record, as JSON; null = any (src/contacts/track.ts).
alter table workspaces add column public_events text;
