-- The version and commit of the Posthorn that served from this store last; null: of one before this column.
alter table installation add column served_by text;
