-- What a search looks through: name and description, each on a line, folded (src/store/folded.ts), as with templates.
alter table workflows add column search_text text not null default '';
update workflows set search_text = lower(name || '
' || coalesce(description, ''));
