// The SQL of campaigns that have begun, each with its result for one contact.
import { sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

export type CampaignHistoryRow = {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly startedAt: string;
  readonly audienceType: "ALL" | "SEGMENT" | "FILTERED";
  readonly isRepeat: 0 | 1;
  /** The contact is one of its recipients. */
  readonly isRecipient: 0 | 1;
  /** Why no mail was queued for the contact. */
  readonly reason: string | null;
};

type CampaignHistoryQuery = {
  readonly workspace: number;
  readonly contact: number;
  /** The moment and the number of a campaign. */
  readonly before: readonly [string, number] | null;
  readonly limit: number;
};

/** Newest first, without campaigns whose audience is still being fixed, or whose recipients were pruned. */
export function begunBefore(
  reader: Reader,
  { workspace, contact, before, limit }: CampaignHistoryQuery,
): Promise<CampaignHistoryRow[]> {
  const earlier = before === null ? sql`` : sql` and (k.started_at, k.seq) < (${before[0]}, ${before[1]})`;
  return reader.all<CampaignHistoryRow>`
    select k.seq, k.id, k.name, k.started_at as "startedAt", k.audience_type as "audienceType",
      case when k.repeats is null then 0 else 1 end as "isRepeat",
      case when r.contact is null then 0 else 1 end as "isRecipient", r.reason
    from campaigns k left join recipients r on r.campaign = k.seq and r.contact = ${contact}
    where k.workspace = ${workspace} and k.started_at is not null and k.deleted_at is null and k.recipients_gone = 0
      and (k.frozen_at is not null or k.status = 'CANCELLED' or r.reason is not null)${earlier}
    order by k.started_at desc, k.seq desc limit ${limit}`;
}
