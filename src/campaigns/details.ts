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
export type CampaignDetails = {
  readonly workspaceId: string;
  /** By the campaign's seq. */
  readonly counters: ReadonlyMap<number, Counters>;
  /** By the segment's id. */
  readonly segments: ReadonlyMap<string, SegmentShown>;
};

type Sources = { readonly store: Store; readonly clock: Clock; readonly catchUp: CatchUp };
type Owner = { readonly workspace: number; readonly workspaceId: string };
/** `seq` is missing for a campaign that is about to be made. */
type Subject = Pick<CampaignRow, "audience_type" | "segment_id"> & { readonly seq?: number };

/** Of a campaign that is about to be made: nothing to count, and no place in the line of long reads to wait for. */
const NONE: ReadonlyMap<number, Counters> = new Map();

/** Counting takes long where there is much to count: it is done before a change, never within it. */
export async function detailsOf(
  { store, clock, catchUp }: Sources,
  owner: Owner,
  campaigns: readonly Subject[],
): Promise<CampaignDetails> {
  const { workspace, workspaceId } = owner;
  const seqs = campaigns.flatMap(({ seq }) => seq ?? []);
  const counters =
    seqs.length === 0 ? NONE : await store.read((reader) => countersOf(reader, seqs), { longFor: workspace });
  const ids = [...new Set(campaigns.filter(isForSegment).flatMap(({ segment_id }) => segment_id ?? []))];
  if (ids.length > 0) await catchUp(workspace);
  const rows = ids.length === 0 ? [] : await store.read((reader) => segmentsNamed(reader, workspace, ids));
  const segments = new Map<string, SegmentShown>();
  for (const row of rows) segments.set(row.id, segmentRecord(row, await memberCount(store, clock, row), workspaceId));
  return { workspaceId, counters, segments };
}

function isForSegment({ audience_type }: Subject): boolean {
  return audience_type === "SEGMENT";
}
