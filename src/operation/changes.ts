// Changes by people, keys and the command line, as lines of the log: each entry of the audit list is one.
import type { Ground } from "../ground.ts";
import type { LoopSpec } from "../jobs/loops.ts";
import { CHANGE_NOTED } from "../team/audit.ts";
import { entriesAfter, lastEntry, type LoggedEntry } from "../team/audit-queries.ts";

/** What the command line does beside a running server wakes nobody. */
const LOOK_EVERY_MS = 5_000;
const MOST_AT_ONCE = 200;
/** On PostgreSQL an entry may be seen later than one with a higher number. */
const LATE_ENTRIES = 100;

/** On several nodes each says it. */
export function reportingChanges({ store, log }: Pick<Ground, "store" | "log">): LoopSpec {
  let last: number | null = null;
  let told: ReadonlySet<number> = new Set();
  const step = async () => {
    last ??= await store.read(lastEntry);
    const from: number = last - LATE_ENTRIES;
    const entries = await store.read((reader) => entriesAfter(reader, from, MOST_AT_ONCE + LATE_ENTRIES));
    const isFirst = told.size === 0;
    const fresh = entries.filter(({ seq }) => !told.has(seq) && (!isFirst || seq > (last as number)));
    for (const entry of fresh) log.info("change", fieldsOf(entry));
    last = entries.at(-1)?.seq ?? last;
    told = new Set(entries.map(({ seq }) => seq));
    return entries.length === MOST_AT_ONCE + LATE_ENTRIES ? 0 : LOOK_EVERY_MS;
  };
  return { name: "reporting changes", step, wokenBy: CHANGE_NOTED };
}

/** Ids alone: names may be those of people. */
function fieldsOf({ action, kind, actor, workspaceId, target, requestId }: LoggedEntry): Record<string, string> {
  const by = actor === null ? kind : `${kind} ${actor}`;
  const known = Object.entries({ workspace: workspaceId, target, requestId }).filter(([, value]) => value !== null);
  return { action, by, ...(Object.fromEntries(known) as Record<string, string>) };
}
