-- What is written in the face: the line beside the subject, the document that a body was made from, and who saved last.

alter table templates add column preheader text; -- null = none, as below
alter table campaigns add column preheader text;
alter table contents add column preheader text;

alter table templates add column design text; -- JSON of kind and source: what `body` was made from; null = it was written by hand
alter table campaigns add column design text;

-- JSON of kind, id and name, as contents.accepted_by; null = saved before this was noted.
alter table templates add column updated_by text;
alter table campaigns add column updated_by text;
alter table workflows add column updated_by text;
alter table segments add column updated_by text;
