-- Why no marketing mail leaves a workspace until its bounces and complaints are fewer; null = it does.
alter table workspaces add column marketing_stopped text;
