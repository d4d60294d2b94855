// The SQL of the uses of a segment.
import { flag } from "../../store/columns.ts";
import { sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

export type SegmentUse = { readonly id: string; readonly name: string };

export function campaignsUsing(reader: Reader, segment: number, most: number) {
  return reader.all<SegmentUse & { readonly status: string }>`
    select c.id, c.name, c.status from campaign_segments u join campaigns c on c.seq = u.campaign
    where u.segment = ${segment} limit ${most}`;
}

/** Forms whose people join the segment. */
export function formsUsing(reader: Reader, segment: number, most: number) {
  return reader.all<SegmentUse>`select id, name from forms where segment = ${segment} limit ${most}`;
}

/** True if a campaign that is scheduled, or whose audience is being frozen, targets one of these segments. */
export async function isAnyToBeMailed(reader: Reader, segments: readonly number[]): Promise<boolean> {
  const row = await reader.get`
    select 1 as mailed from campaign_segments u join campaigns c on c.seq = u.campaign
    where ${reader.dialect.isAmong(sql`u.segment`, segments)} and c.status in ('SCHEDULED', 'SENDING') limit 1`;
  return row !== null;
}

/** Workflows whose schedule starts executions for its members. */
export async function workflowsStarting(reader: Reader, segment: number, most: number): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`select seq from workflows where segment = ${segment} limit ${most}`;
  return rows.map(({ seq }) => seq);
}

/** Workflows with a step whose condition names the segment. */
export async function workflowsAsking(reader: Reader, segment: number, most: number): Promise<number[]> {
  const rows = await reader.all<{ workflow: number }>`
    select s.workflow from step_segments u join workflow_steps s on s.seq = u.step
    where u.segment = ${segment} group by s.workflow limit ${most}`;
  return rows.map(({ workflow }) => workflow);
}

export async function workflowsNumbered(reader: Reader, seqs: readonly number[]) {
  const rows = await reader.all<SegmentUse & { readonly enabled: 0 | 1 }>`
    select id, name, enabled from workflows
    where ${reader.dialect.isAmong(sql`seq`, seqs)} and deleted_at is null order by seq desc`;
  return rows.map((row) => ({ ...row, enabled: flag(row.enabled) }));
}
