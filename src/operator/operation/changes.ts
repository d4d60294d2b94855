// Changes by people, keys and the command line, as lines of the log: each entry of the audit log is one.
import { LOOK_OFTEN_MS, NOTHING_DUE } from "../../base/jobs/due.ts";
import type { Ground } from "../../ground/ground.ts";
import type { LoopSpec } from "../../base/jobs/loops.ts";
import { HorizonFollower } from "../../store/horizon.ts";
import { CHANGE_NOTED } from "../team/audit/audit.ts";
import { entriesAfter, lastEntry, type LoggedEntry } from "../team/audit/audit-queries.ts";

/** Changes by the command line beside a running server wake no loop. */
const MOST_AT_ONCE = 200;

/** On several nodes each logs it. */
export function reportingChanges({ store, log }: Pick<Ground, "store" | "log">): LoopSpec {
  const after = async (...place: Parameters<typeof entriesAfter>) => [await entriesAfter(...place)];
  const entries = new HorizonFollower({ endsOf: lastEntry, after, keyOf: ({ seq }) => seq }, MOST_AT_ONCE);
  const step = async () => {
    const fresh = await store.read((reader) => entries.next(reader));
    for (const entry of fresh) log.info("change", fieldsOf(entry));
    return fresh.length >= MOST_AT_ONCE ? 0 : NOTHING_DUE;
  };
  return { name: "reporting changes", step, wokenBy: CHANGE_NOTED, lookEveryMs: LOOK_OFTEN_MS };
}

/** Ids alone: a name may be a person's. */
function fieldsOf({ action, kind, actor, workspaceId, target, requestId }: LoggedEntry): Record<string, string> {
  const by = actor === null ? kind : `${kind} ${actor}`;
  const known = Object.entries({ workspace: workspaceId, target, requestId }).filter(([, value]) => value !== null);
  return { action, by, ...(Object.fromEntries(known) as Record<string, string>) };
}
