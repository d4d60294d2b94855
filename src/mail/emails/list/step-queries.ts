// The SQL of counting a workflow step's waiting and failed mails.
import { sqlList } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";

type StepLanes = { readonly step: string; readonly lanes: readonly number[] };
type StepBacklog = { readonly mails: number; /** Of these: were tried before. */ readonly retrying: number };

/** Queued mails in these lanes, at most `most`. Mails in hand are about to leave. */
export async function waitingAtStep(reader: Reader, { step, lanes }: StepLanes, most: number): Promise<StepBacklog> {
  const row = await reader.get<StepBacklog>`
    select count(*) as mails, cast(coalesce(sum(case when attempts > 0 then 1 else 0 end), 0) as bigint) as retrying from (
      select e.attempts from emails e${reader.dialect.along("emails_at_step")}
      where e.step_id = ${step} and e.status = 'QUEUED' and e.lane in (${sqlList(lanes)}) limit ${most}) as place`;
  return row ?? { mails: 0, retrying: 0 };
}

/** At most `most`. */
export async function failedAtStep(reader: Reader, step: string, most: number): Promise<number> {
  const row = await reader.get<{ mails: number }>`
    select count(*) as mails from (
      select 1 from emails e${reader.dialect.along("emails_failed_at_step")}
      where e.step_id = ${step} and e.status = 'FAILED' limit ${most}) as place`;
  return row?.mails ?? 0;
}
