-- What one person did, newest first.
create index events_of_contact_in_order on events (contact, seq) where contact is not null;
