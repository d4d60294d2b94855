-- Mails whose text is for their recipient alone: they hold a link that lets that person in.

alter table contents add column private smallint not null default 0 check (private in (0, 1));
