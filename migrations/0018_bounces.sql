-- What a bounce was told as: only a permanent one counts against the workspace, and a mail is told to have bounced once each.
alter table emails add column bounce_type text check (bounce_type in ('Permanent', 'Transient'));
update emails set bounce_type = case when exists (
    select 1 from events where events.email = emails.seq and events.name = 'email.bounce' and instr(json(events.data), '"Permanent"') > 0
  ) then 'Permanent' else 'Transient' end
  where status = 'BOUNCED';
