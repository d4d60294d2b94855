-- The beginning of an address is a range of bytes, and only an index in their order serves it; what a database sorts by is its language.
create index contacts_starting on contacts (workspace, email collate "C");
drop index emails_to_others;
create index emails_to_others on emails (workspace, to_address collate "C")
  where (contact is null or source_type = 'INBOUND') and to_address <> '';
