// The uses of a segment: campaigns that are not sent, workflows, forms, and conditions of other segments. A used
// segment cannot be deleted.
import { segmentSubject, eventSubject } from "../../tenant/events/subjects.ts";
import { listenersTo } from "../../tenant/events/interests.ts";
import type { Reader } from "../../store/store.ts";
import { refuseWithout, type Caller } from "../../tenant/access/caller.ts";
import { segmentsNumbered, type Segment } from "./queries.ts";
import {
  campaignsUsing,
  formsUsing,
  isAnyToBeMailed,
  workflowsAsking,
  workflowsNumbered,
  workflowsStarting,
  type SegmentUse,
} from "./use-queries.ts";

export type Uses = {
  readonly campaigns: readonly (SegmentUse & { readonly status: string })[];
  readonly workflows: readonly (SegmentUse & { readonly enabled: boolean })[];
  readonly segments: readonly SegmentUse[];
  readonly forms: readonly SegmentUse[];
};

/** The most uses of each kind. */
const MOST = 100;

export async function usesOf(reader: Reader, { seq, workspace, slug }: Segment): Promise<Uses> {
  const subjects = [eventSubject(`segment.${slug}.entry`), eventSubject(`segment.${slug}.exit`)];
  const listening = await listenersTo(reader, workspace, "workflow", subjects);
  const starting = await workflowsStarting(reader, seq, MOST);
  const asking = await workflowsAsking(reader, seq, MOST);
  const workflows = [...new Set([...listening, ...starting, ...asking])].slice(0, MOST);
  const segments = (await listenersTo(reader, workspace, "segment", [segmentSubject(seq)])).slice(0, MOST);
  return {
    campaigns: (await campaignsUsing(reader, seq, MOST)).toSorted((one, other) => (one.id < other.id ? 1 : -1)),
    workflows: workflows.length === 0 ? [] : await workflowsNumbered(reader, workflows),
    segments:
      segments.length === 0 ? [] : (await segmentsNumbered(reader, segments)).map(({ id, name }) => ({ id, name })),
    forms: await formsUsing(reader, seq, MOST),
  };
}

/**
 * A change of a segment's members changes the recipients of its campaigns, and of campaigns for segments whose
 * conditions name it.
 * @throws AppError FORBIDDEN if such a campaign is about to be sent and the caller may not send campaigns
 */
export async function refuseMailed(
  reader: Reader,
  { person }: Pick<Caller, "person">,
  { seq, workspace }: Pick<Segment, "seq" | "workspace">,
): Promise<void> {
  if (person === null || person.permissions.has("campaigns.send")) return;
  const all = new Set([seq]);
  for (let last = [seq]; last.length > 0;) {
    if (await isAnyToBeMailed(reader, last)) refuseWithout(person, "campaigns.send");
    last = (await listenersTo(reader, workspace, "segment", last.map(segmentSubject))).filter((one) => !all.has(one));
    for (const one of last) all.add(one);
  }
}
