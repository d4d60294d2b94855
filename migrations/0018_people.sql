-- Lists of people by what mail they may get, and all that one person has been through.
create index contacts_unsubscribed on contacts (workspace, seq) where subscribed = 0 and status = 'ACTIVE' and suppressed is null;
create index contacts_to_confirm on contacts (workspace, seq) where status = 'PENDING' and suppressed is null;
create index contacts_suppressed on contacts (workspace, seq) where suppressed is not null;

create index executions_of_contact_in_order on executions (contact, seq);
-- Campaigns that left somebody out.
create index recipients_left_out on recipients (contact) where reason is not null;
