-- Pictures that mails name, and what an editor begins with.
--
--   images       src/images: pictures under public addresses
--   image_uses   src/images: what names them; none of these is deleted
--   blocks       src/templates: named pieces of mails
--   brands       src/templates: colours, logo, sender and footer of a workspace

create table images (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  hash text not null unique, -- of the workspace and the bytes: the public address
  name text not null,
  type text not null check (type in ('png', 'jpg', 'gif', 'webp')),
  width bigint not null,
  height bigint not null,
  size bigint not null,
  created_by text, -- JSON of kind, id and name
  created_at text not null,
  bytes {bytes} not null
){strict};
create index images_in_order on images (workspace, seq);

create table blocks (
  seq {serial},
  id text not null unique,
  workspace bigint not null references workspaces (seq) on delete cascade,
  name text not null,
  updated_by text, -- JSON, as above
  created_at text not null,
  updated_at text not null,
  body text not null, -- HTML
  design text -- JSON of kind and source
){strict};
create index blocks_in_order on blocks (workspace, seq);

create table brands (
  workspace bigint primary key references workspaces (seq) on delete cascade,
  updated_by text, -- JSON, as above
  updated_at text not null,
  brand text not null -- JSON
){strict};

-- One of the columns beside `image` says what names it. As images are not deleted in a cascade, such a row keeps its image.
create table image_uses (
  seq {serial},
  image bigint not null references images (seq),
  template bigint references templates (seq) on delete cascade,
  campaign bigint references campaigns (seq) on delete cascade,
  version bigint references versions (seq) on delete cascade,
  content bigint references contents (seq) on delete cascade,
  block bigint references blocks (seq) on delete cascade,
  brand bigint references brands (workspace) on delete cascade
){strict};
create index image_uses_of_image on image_uses (image);
create index image_uses_of_template on image_uses (template) where template is not null;
create index image_uses_of_campaign on image_uses (campaign) where campaign is not null;
create index image_uses_of_version on image_uses (version) where version is not null;
create index image_uses_of_content on image_uses (content) where content is not null;
create index image_uses_of_block on image_uses (block) where block is not null;
create index image_uses_of_brand on image_uses (brand) where brand is not null;
