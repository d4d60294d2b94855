// The SQL of the list of campaigns.
import { sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import type { Campaign, CampaignStatus } from "./queries.ts";

export type CampaignFilter = { readonly workspace: number; readonly status: CampaignStatus | null };

function matching({ workspace, status }: CampaignFilter) {
  const ofStatus = status === null ? sql`` : sql` and status = ${status}`;
  return sql`workspace = ${workspace} and deleted_at is null${ofStatus}`;
}

/** Newest first, with the length of their texts. */
export function campaignsPage(
  reader: Reader,
  filter: CampaignFilter,
  limit: number,
  offset: number,
): Promise<{ seq: number; chars: number }[]> {
  return reader.all`
    select seq, length(body) + length(coalesce(text, '')) + length(coalesce(design, '')) as chars from campaigns
    where ${matching(filter)} order by seq desc limit ${limit} offset ${offset}`;
}

/** The fields that a search of campaigns reads. */
export type CampaignTitle = Pick<Campaign, "seq" | "name" | "subject" | "description"> & { readonly chars: number };

/** The next campaigns below `before`, newest first, with the length of their texts. */
export function titlesBefore(
  reader: Reader,
  filter: CampaignFilter,
  before: number,
  limit: number,
): Promise<CampaignTitle[]> {
  return reader.all<CampaignTitle>`
    select seq, name, subject, description,
      length(body) + length(coalesce(text, '')) + length(coalesce(design, '')) as chars from campaigns
    where ${matching(filter)} and seq < ${before} order by seq desc limit ${limit}`;
}

/** The next campaigns above `after`. */
export function titlesAfter(
  reader: Reader,
  filter: CampaignFilter,
  after: number,
  limit: number,
): Promise<CampaignTitle[]> {
  return reader.all<CampaignTitle>`
    select seq, name, subject, description,
      length(body) + length(coalesce(text, '')) + length(coalesce(design, '')) as chars from campaigns
    where ${matching(filter)} and seq > ${after} order by seq limit ${limit}`;
}

export async function countCampaigns(reader: Reader, filter: CampaignFilter): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from campaigns where ${matching(filter)}`;
  return row?.total ?? 0;
}
