-- What a search looks through: name, subject and description, each on a line, folded (src/store/folded.ts): the engines'
-- own lower() knows ASCII only, or what the locale knows. What stands here already is folded fully when it is next changed.
alter table templates add column search_text text not null default '';
update templates set search_text = lower(name || '
' || subject || '
' || coalesce(description, ''));
