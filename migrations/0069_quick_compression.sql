-- Long texts are compressed faster on PostgreSQL (postgres/0069_quick_compression.sql). SQLite compresses nothing.
select 1;
