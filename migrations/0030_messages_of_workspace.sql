-- A workspace that is deleted takes its messages along without looking through everybody's.
create index messages_of_workspace on messages (workspace) where workspace is not null;
