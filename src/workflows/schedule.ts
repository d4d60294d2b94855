// The schedule of a workflow that starts by the clock (interface-gaps.md §6 "SCHEDULE").
import { AppError } from "../errors.ts";
import { segmentsNamed } from "../segments/queries.ts";
import type { Tx } from "../store/store.ts";
import { nextTime, type CronTimes } from "./cron.ts";
import type { WorkflowRow } from "./queries.ts";
import { setSchedule } from "./schedule-queries.ts";

export type ScheduleConfig = CronTimes & { readonly segmentId: string };

/** To be called with every change of the workflow. @throws AppError SEGMENT_NOT_FOUND */
export async function keepSchedule(tx: Tx, workflow: WorkflowRow): Promise<void> {
  if (workflow.trigger_type !== "SCHEDULE") return void (await setSchedule(tx, workflow.seq, null, null));
  const config = JSON.parse(workflow.trigger_config) as ScheduleConfig;
  const [segment] = await segmentsNamed(tx, workflow.workspace, [config.segmentId]);
  if (!segment) throw new AppError("SEGMENT_NOT_FOUND", `There is no segment ${config.segmentId}.`);
  await setSchedule(tx, workflow.seq, segment.seq, workflow.enabled === 1 ? nextTime(config, tx.nowMs) : null);
}
