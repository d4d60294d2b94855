// Whom a condition finds, asked as it is written: how many, some of them, and how the number falls.
import { api, Fault, unwrap, type FieldFault } from "../api.ts";
import type { components } from "../api.gen.ts";
import { canonical, type Condition } from "./draft.ts";
import { useAnswer, type Numbers } from "./numbers.ts";

export type Preview = components["schemas"]["AudiencePreview"];

const SAMPLE = 20;

type Found = {
  readonly preview: Preview | undefined;
  readonly numbers: Numbers | undefined;
  /** What the server refused of the condition. */
  readonly faults: readonly FieldFault[];
  /** How long the answer took. */
  readonly tookMs: number | undefined;
};

/** Null: nothing is asked, and what was answered last stays. */
export function useConditionPreview(condition: Condition | null): Found {
  const { data, error, isOld } = useAnswer("segments", condition, async (signal) => {
    const startedMs = performance.now();
    const body = { condition: canonical(condition as Condition), perFilter: true, sample: SAMPLE };
    const preview = await unwrap(api.POST("/segments/preview", { body, signal }));
    return { preview, tookMs: performance.now() - startedMs };
  });
  const { perFilter = [], approximate = false } = data?.preview ?? {};
  return {
    preview: data?.preview,
    numbers: data && { perFilter, approximate, isOld },
    faults: error instanceof Fault && condition !== null ? error.errors : [],
    tookMs: data?.tookMs,
  };
}
