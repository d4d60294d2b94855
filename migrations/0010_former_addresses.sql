-- Addresses that contacts had before, so that mail which went there is found by them. Only a change of the address writes one.

create table former_addresses (
  workspace bigint not null references workspaces (seq) on delete cascade,
  address text{bytewise} not null,
  contact bigint not null references contacts (seq) on delete cascade,
  primary key (workspace, address, contact)
){keyed};
create index former_addresses_of_contact on former_addresses (contact);

insert into former_addresses (workspace, address, contact)
select distinct e.workspace, e.to_address, e.contact from emails e join contacts c on c.seq = e.contact
where e.to_address <> c.email and e.to_address <> '' and e.source_type <> 'INBOUND' and instr(c.email, '@') > 0;
