// The SQL of counting a workflow step's waiting and failed mails.
import { joined, sql } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";
import { inHeap, type Heap } from "../queue/holds.ts";

type StepHeaps = { readonly step: string; readonly heaps: readonly Heap[] };
type WaitingAtStep = {
  readonly mails: number;
  /** Mails among them that were tried before. */ readonly retrying: number;
};

/** Queued mails in these heaps, at most `most`. Mails in hand are about to leave. */
export async function waitingAtStep(reader: Reader, { step, heaps }: StepHeaps, most: number): Promise<WaitingAtStep> {
  const parts = heaps.map(
    (heap) => sql`
      select e.attempts from emails e${reader.dialect.along("emails_at_step")}
      where e.step_id = ${step} and e.status = 'QUEUED' and ${inHeap(heap)}`,
  );
  const row = await reader.get<WaitingAtStep>`
    select count(*) as mails, cast(coalesce(sum(case when attempts > 0 then 1 else 0 end), 0) as bigint) as retrying from (
      ${joined(parts, " union all ")} limit ${most}) as place`;
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
