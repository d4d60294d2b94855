// The needs of the operator in the log, which repeats the open ones at each start.
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import { MINUTE_MS } from "../../base/clock.ts";
import type { LoopSpec } from "../../base/jobs/loops.ts";
import type { Ground } from "../../ground/ground.ts";
import { conditionOf } from "./needs/condition.ts";
import { needsOfTime, NOTHING_YET, operatorNeeds } from "./needs/needs.ts";

const LOOK_EVERY_MS = 10 * MINUTE_MS;

/** At the start all needs, since the log of the run before may be unread; later the new ones that arise with time. */
export function reportingNeeds({ store, config, clock, log }: Ground): LoopSpec {
  let said: ReadonlySet<string> | null = null;
  const step = async () => {
    const nowMs = clock.nowMs();
    const seen = await store.read((reader) => conditionOf(reader, config, nowMs), { longFor: 0 });
    const ofTime = needsOfTime(seen, nowMs);
    const needs = said === null ? operatorNeeds(seen, NOTHING_YET, nowMs) : ofTime;
    for (const { key, text } of needs) if (!said?.has(key)) log.warn(`needs attention: ${text}`);
    said = new Set(ofTime.map(({ key }) => key));
    return NOTHING_DUE;
  };
  return { name: "reporting what needs somebody", step, lookEveryMs: LOOK_EVERY_MS, onlyLooks: true };
}
