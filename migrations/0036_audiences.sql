-- What its audience does not use is not kept with a campaign, and keeps no segment from being deleted.
delete from campaign_segments where exists (
  select 1 from campaigns c join segments s on s.seq = campaign_segments.segment
  where c.seq = campaign_segments.campaign
    and (c.audience_type = 'ALL' or (c.audience_type = 'SEGMENT' and s.id <> c.segment_id)));
update campaigns set segment_id = null where audience_type <> 'SEGMENT' and segment_id is not null;
update campaigns set audience_condition = null where audience_type <> 'FILTERED' and audience_condition is not null;
