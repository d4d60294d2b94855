-- Texts of mails that are stored from now on are compressed by lz4, in a third of the time that pglz takes: 50 µs instead of 150 for
-- 10 KB of HTML. A server that was built without lz4, or is older than PostgreSQL 14 and so does not know these words, goes on as before.
do $$ begin
  execute 'alter table contents alter column html set compression lz4, alter column text set compression lz4';
  execute 'alter table raw_messages alter column bytes set compression lz4';
  execute 'alter table raw_slices alter column bytes set compression lz4';
  execute 'alter table attachments alter column bytes set compression lz4';
  execute 'alter table message_slices alter column bytes set compression lz4';
exception when feature_not_supported or syntax_error then null;
end $$;
