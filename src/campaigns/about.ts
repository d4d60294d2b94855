// What is shown with campaigns and is not in their rows: what became of their mails, and the segments that they are for.
import type { Clock } from "../clock.ts";
import type { CatchUp } from "../events/dispatch.ts";
import { memberCount } from "../segments/members.ts";
import { segmentsNamed } from "../segments/queries.ts";
import { segmentRecord } from "../segments/record.ts";
import type { Store } from "../store/store.ts";
import type { CampaignRow } from "./queries.ts";
import { countersOf, type Counters } from "./statistics.ts";

type SegmentShown = ReturnType<typeof segmentRecord>;
export type About = {
  readonly workspaceId: string;
  /** By the campaign's seq. */
  readonly counters: ReadonlyMap<number, Counters>;
  /** By the segment's id. */
  readonly segments: ReadonlyMap<string, SegmentShown>;
};

type House = { readonly store: Store; readonly clock: Clock; readonly catchUp: CatchUp };
type Owner = { readonly workspace: number; readonly workspaceId: string };
type Subject = Pick<CampaignRow, "audience_type" | "segment_id"> & { readonly seq?: number };

/** Counting takes long where there is much to count: it is done before a change, never within it. */
export async function about(
  { store, clock, catchUp }: House,
  owner: Owner,
  campaigns: readonly Subject[],
): Promise<About> {
  const { workspace, workspaceId } = owner;
  const seqs = campaigns.flatMap(({ seq }) => seq ?? []);
  const counters = await store.read((reader) => countersOf(reader, seqs), { long: true });
  const meant = campaigns.filter(({ audience_type }) => audience_type === "SEGMENT");
  const ids = [...new Set(meant.flatMap(({ segment_id }) => segment_id ?? []))];
  if (ids.length > 0) await catchUp(workspace);
  const rows = ids.length === 0 ? [] : await store.read((reader) => segmentsNamed(reader, workspace, ids));
  const segments = new Map<string, SegmentShown>();
  for (const row of rows) segments.set(row.id, segmentRecord(row, await memberCount(store, clock, row), workspaceId));
  return { workspaceId, counters, segments };
}
