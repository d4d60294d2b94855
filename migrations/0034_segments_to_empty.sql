-- The members of a segment that is deleted go behind it, a part of them at a time: all at once they would hold up everybody else.
-- So they have no foreign key to their segment any more, and a list of its own says whose are left.
drop index segments_of_contact;
alter table segment_members rename to segment_members_before;
create table segment_members (
  segment bigint not null,
  contact bigint not null references contacts (seq) on delete cascade,
  entered_at text not null,
  primary key (segment, contact)
){keyed};
insert into segment_members (segment, contact, entered_at)
select segment, contact, entered_at from segment_members_before order by segment, contact;
drop table segment_members_before;
create index segments_of_contact on segment_members (contact, segment);

create table segments_to_empty (
  segment bigint primary key, -- its number; the segment itself is gone
  since text not null
){strict};
