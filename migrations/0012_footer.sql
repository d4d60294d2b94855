-- What the foot of a marketing mail says is settled when the mail is accepted, as its content is.
alter table contents add column postal_address text;
alter table emails add column language text; -- of its footer; null = it has none
