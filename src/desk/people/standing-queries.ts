// The SQL of a person's summary: counts of mails, segments, former addresses, and upcoming campaigns.
import type { Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

export type MailCountRow = {
  readonly status: string;
  readonly mails: number;
  readonly opened: number;
  readonly clicked: number;
};

/** Counts the newest `most` mails. */
export function countMailsOf(reader: Reader, contact: number, most: number): Promise<MailCountRow[]> {
  return reader.all<MailCountRow>`
    select status, count(*) as mails, cast(coalesce(sum(case when opens > 0 then 1 else 0 end), 0) as bigint) as opened,
      cast(coalesce(sum(case when clicks > 0 then 1 else 0 end), 0) as bigint) as clicked
    from (select status, opens, clicks from emails where contact = ${contact} order by seq desc limit ${most}) as newest
    group by status`;
}

export async function formerOf(reader: Reader, contact: number): Promise<string[]> {
  const rows = await reader.all<{ address: string }>`
    select f.address from former_addresses f join contacts c on c.seq = f.contact
    where f.contact = ${contact} and f.address <> c.email order by f.address limit 100`;
  return rows.map(({ address }) => address);
}

export type CampaignPlanRow = { readonly id: string; readonly scheduledFor: string };

/** Campaigns of a workspace that are scheduled, the next ones first. */
export function plannedCampaigns(reader: Reader, workspace: number, most: number): Promise<CampaignPlanRow[]> {
  return reader.all<CampaignPlanRow>`
    select id, scheduled_for as "scheduledFor" from campaigns${reader.dialect.along("campaigns_due")}
    where due_at is not null and workspace = ${workspace} and status = 'SCHEDULED' and deleted_at is null
      and scheduled_for is not null
    order by due_at limit ${most}`;
}

/** True if the condition on contacts `c` holds for this one. */
export async function isAmong(reader: Reader, contact: number, condition: Sql): Promise<boolean> {
  return (await reader.get`select 1 as found from contacts c where c.seq = ${contact} and (${condition})`) !== null;
}
