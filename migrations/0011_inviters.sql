-- Who made a link: it is over once that person may not make it any more.

alter table invitations add column inviter bigint references users (seq) on delete cascade; -- null = the command line or the first start
create index invitations_of_inviter on invitations (inviter) where inviter is not null;
