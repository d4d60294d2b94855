// What uses a segment: campaigns that are not sent, workflows, conditions of other segments. It cannot be deleted while one does.
import { segmentTopic, eventTopic } from "../events/topics.ts";
import { listenersTo } from "../events/interests.ts";
import type { Reader } from "../store/store.ts";
import { segmentsNumbered, type Segment } from "./queries.ts";
import { campaignsUsing, workflowsAsking, workflowsNumbered, workflowsStarting, type Named } from "./use-queries.ts";

export type Uses = {
  readonly campaigns: readonly (Named & { readonly status: string })[];
  readonly workflows: readonly (Named & { readonly enabled: boolean })[];
  readonly segments: readonly Named[];
};

/** Up to so many of each. */
const MOST = 100;

export async function usesOf(reader: Reader, { seq, workspace, slug }: Segment): Promise<Uses> {
  const topics = [eventTopic(`segment.${slug}.entry`), eventTopic(`segment.${slug}.exit`)];
  const listening = await listenersTo(reader, workspace, "workflow", topics);
  const starting = await workflowsStarting(reader, seq, MOST);
  const asking = await workflowsAsking(reader, seq, MOST);
  const workflows = [...new Set([...listening, ...starting, ...asking])].slice(0, MOST);
  const segments = (await listenersTo(reader, workspace, "segment", [segmentTopic(seq)])).slice(0, MOST);
  return {
    campaigns: (await campaignsUsing(reader, seq, MOST)).toSorted((one, other) => (one.id < other.id ? 1 : -1)),
    workflows: workflows.length === 0 ? [] : await workflowsNumbered(reader, workflows),
    segments:
      segments.length === 0 ? [] : (await segmentsNumbered(reader, segments)).map(({ id, name }) => ({ id, name })),
  };
}
