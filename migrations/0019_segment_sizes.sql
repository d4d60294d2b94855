-- How many members each segment had, day by day.
--
--   segment_sizes   written once a day for each segment, kept for 400 days (src/segments/sizes.ts)

create table segment_sizes (
  segment bigint not null references segments (seq) on delete cascade,
  day text not null, -- in UTC
  members bigint not null, -- soon after its beginning, or when the segment was made
  primary key (segment, day)
){keyed};

alter table segments add column counted_on text not null default ''; -- the last day in segment_sizes
create index segments_to_count on segments (counted_on, seq);
