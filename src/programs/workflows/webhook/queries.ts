// The SQL of the workflows whose steps send webhooks.
import { PRESENT } from "../../../audience/contacts/queries.ts";
import { json } from "../../../store/columns.ts";
import { sqlList } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { Payload } from "./record.ts";

/** A delivery in the context of its workflow. */
export type StepCall = {
  readonly seq: number;
  /** The row of the trace. */
  readonly step: number;
  readonly execution: number;
  readonly workspace: number;
  readonly workflow: number;
  readonly version: number;
  readonly payload: Payload;
  /** The public id of the step in the workflow. */
  readonly stepId: string;
};

/** Without calls of people who are being erased: they are deleted with them. */
export async function stepCalls(reader: Reader, deliveries: readonly number[]): Promise<StepCall[]> {
  const rows = await reader.all<Omit<StepCall, "payload"> & { readonly payload: string }>`
    select d.seq, d.execution_step as step, d.execution, d.workspace, e.workflow, e.version, d.payload, s.step as "stepId"
    from webhook_deliveries d
    join execution_steps s on s.seq = d.execution_step
    join executions e on e.seq = d.execution
    join contacts c on c.seq = e.contact and ${PRESENT}
    where d.seq in (${sqlList(deliveries)})`;
  return rows.map((row) => ({ ...row, payload: json<Payload>(row.payload) }));
}

/** The calls of disabled workflows. */
export function callsOfDisabled(
  reader: Reader,
  deliveries: readonly number[],
): Promise<{ seq: number; workflow: number }[]> {
  return reader.all`
    select d.seq, w.seq as workflow from webhook_deliveries d
    join executions e on e.seq = d.execution join workflows w on w.seq = e.workflow and w.enabled = 0
    where d.seq in (${sqlList(deliveries)})`;
}

/** The workflows that are still disabled. They cannot be enabled until this transaction ends. */
export async function lockDisabled(tx: Tx, workflows: readonly number[]): Promise<number[]> {
  const rows = await tx.all<{ seq: number }>`
    select seq from workflows where seq in (${sqlList(workflows)}) and enabled = 0 order by seq${tx.dialect.forChange}`;
  return rows.map(({ seq }) => seq);
}

export async function isDisabled(reader: Reader, workflow: number): Promise<boolean> {
  return (await reader.get`select 1 as is_disabled from workflows where seq = ${workflow} and enabled = 0`) !== null;
}
