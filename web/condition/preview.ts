// Previews a condition while it is edited: how many people match, some of them, and the count after each filter.
import { call, Fault, type FieldFault } from "../calls/api.ts";
import type { components } from "../api.gen.ts";
import type { QueryState } from "../parts/layout.tsx";
import { canonical, type SegmentCondition } from "./draft.ts";
import { useDebouncedQuery, type ConditionCounts } from "./counts.ts";

export type AudiencePreview = components["schemas"]["AudiencePreview"];

const SAMPLE = 20;

type AudienceFigures = {
  readonly preview: AudiencePreview | undefined;
  readonly numbers: ConditionCounts | undefined;
  /** The server's errors in the condition. */
  readonly faults: readonly FieldFault[];
  /** How long the answer took. */
  readonly tookMs: number | undefined;
  readonly asked: QueryState;
};

/** Null: no request; the last answer stays. */
export function useConditionPreview(condition: SegmentCondition | null): AudienceFigures {
  const asked = useDebouncedQuery("segments", condition, async (signal) => {
    const startedMs = performance.now();
    const body = { condition: canonical(condition as SegmentCondition), perFilter: true, sample: SAMPLE };
    const preview = await call("POST /segments/preview", { body, signal });
    return { preview, tookMs: performance.now() - startedMs };
  });
  const { data, error, isOld } = asked;
  const { perFilter = [], approximate = false } = data?.preview ?? {};
  return {
    preview: data?.preview,
    numbers: data && { perFilter, approximate, isOld },
    faults: error instanceof Fault && condition !== null ? error.errors : [],
    tookMs: data?.tookMs,
    asked,
  };
}
