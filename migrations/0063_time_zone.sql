-- Where the people of a workspace live (src/workspaces).

alter table workspaces add column time_zone text; -- a name of the IANA's; null = none is set
