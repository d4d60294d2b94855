-- When a program last came with a key of the set; null: not since this column exists.

alter table key_sets add column last_used_at text;
