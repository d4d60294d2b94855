-- What templates and campaigns said before.
--
--   versions   src/templates/versions: the last of each template and campaign

create table versions (
  seq {serial},
  id text not null,
  workspace bigint not null references workspaces (seq) on delete cascade,
  template bigint references templates (seq) on delete cascade, -- of this one, or of the campaign
  campaign bigint references campaigns (seq) on delete cascade,
  saved_by text, -- JSON of kind, id and name; null = not noted
  begun_at text not null, -- when the first of the changes was saved that it holds
  saved_at text not null, -- and the last
  content {bytes} not null -- JSON, compressed by zstd
){strict};
create index versions_of_template on versions (template, seq) where template is not null;
create index versions_of_campaign on versions (campaign, seq) where campaign is not null;
create index versions_of_workspace on versions (workspace);
