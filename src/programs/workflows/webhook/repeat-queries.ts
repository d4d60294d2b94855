// The SQL of webhooks sent again by hand.
import { sql } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";

type StepCallRow = { readonly seq: number; readonly execution: number };

/** Records of a step whose webhook was given up, newest first; not ones that have been sent too often. */
export function givenUpAt(
  reader: Reader,
  step: string,
  {
    before,
    limit,
    maxAttempts,
  }: { readonly before: number | null; readonly limit: number; readonly maxAttempts: number },
): Promise<StepCallRow[]> {
  const older = before === null ? sql`` : sql` and s.execution < ${before}`;
  return reader.all<StepCallRow>`
    select s.seq, s.execution from execution_steps s
    join webhook_deliveries d on d.execution_step = s.seq and d.state = 'FAILED' and d.attempts < ${maxAttempts}
    where s.step = ${step} and s.status = 'FAILED'${older} order by s.execution desc limit ${limit}`;
}
