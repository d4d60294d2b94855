-- Sums by hours and days, so that long spans are added up in time (src/statistics). Kinds of mail_group_counts from here on: template,
-- campaign and provider, by quarters, and each with " by hour" and " by day"; "mails by hour" and "mails by day", whose names are
-- the source type and domain of mail_counts.
insert into mail_group_counts (workspace, kind, quarter, name, accepted, sent, delivered, failed, hard_bounced, soft_bounced, complained, opened, clicked, unsubscribed, cancelled)
select workspace, 'mails by hour', substr(quarter, 1, 13) || ':00', source_type || ' ' || domain, sum(accepted), sum(sent), sum(delivered),
  sum(failed), sum(hard_bounced), sum(soft_bounced), sum(complained), sum(opened), sum(clicked), sum(unsubscribed), sum(cancelled)
from mail_counts group by 1, 3, 4;
insert into mail_group_counts (workspace, kind, quarter, name, accepted, sent, delivered, failed, hard_bounced, soft_bounced, complained, opened, clicked, unsubscribed, cancelled)
select workspace, replace(kind, ' by hour', ' by day'), substr(quarter, 1, 10) || 'T00:00', name, sum(accepted), sum(sent), sum(delivered),
  sum(failed), sum(hard_bounced), sum(soft_bounced), sum(complained), sum(opened), sum(clicked), sum(unsubscribed), sum(cancelled)
from mail_group_counts where kind in ('mails by hour', 'template by hour', 'campaign by hour', 'provider by hour') group by 1, 2, 3, 4;
