// Finds the needs, which a person has to see to: of a workspace for its people, of the server for its owners, and all
// of them in words for the operator.
import type { Reader } from "../../../store/store.ts";
import type { InstallationCondition } from "./condition.ts";
import type { Need } from "./record.ts";
import type { OperatorNeed, OperatorRow, PeopleRow, ProcessView, ServerView, WorkspaceView } from "./row.ts";
import { NEEDS } from "./table.ts";

export function needsInWorkspace(reader: Reader, seen: WorkspaceView): Promise<readonly Need[]> {
  return needsIn(({ inWorkspace }) => inWorkspace?.(reader, seen));
}

/** For owners. */
export function needsInServer(reader: Reader, seen: ServerView): Promise<readonly Need[]> {
  return needsIn(({ inServer }) => inServer?.(reader, seen));
}

type Row = PeopleRow<object>;

async function needsIn(find: (row: Row) => ReturnType<NonNullable<Row["inWorkspace"]>> | undefined) {
  const needs: Need[] = [];
  for (const [kind, row] of Object.entries<Row>(NEEDS))
    needs.push(...((await find(row)) ?? []).map((fields) => ({ kind, ...fields }) as Need));
  return needs;
}

/** As the operator reads them. */
export function operatorNeeds(seen: InstallationCondition, sees: ProcessView, nowMs: number): OperatorNeed[] {
  return operatorRows().flatMap(({ told }) => told(seen, sees, nowMs).map(([key, text]) => ({ key, text })));
}

/** Needs that arise by time alone. */
export function needsOfTime(seen: InstallationCondition, nowMs: number): OperatorNeed[] {
  const rows = operatorRows().filter(({ byTime }) => byTime);
  return rows.flatMap(({ told }) => told(seen, NOTHING_YET, nowMs).map(([key, text]) => ({ key, text })));
}

/** A fault that this process itself finds out, such as a relay that is away, is logged when it begins. */
export const NOTHING_YET: ProcessView = { relay: null, stream: null, waysAway: [] };

function operatorRows(): readonly OperatorRow[] {
  const rows = Object.values(NEEDS).flatMap((row) => (row.told ? [row as OperatorRow] : []));
  return rows.toSorted((one, other) => one.line - other.line);
}
