-- An accepted mail writes one page less: one index finds a workspace's contents, and among them those of a request. docs/operate/schema.md
-- says what each index of these tables is for.
drop index contents_by_request;
create index contents_by_request on contents (workspace, request_id);
drop index contents_of_workspace;
