// The people whom a plan concerns: those who would enter and leave segments, and those inside workflows.
import { AppError } from "../../base/errors.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader, Store } from "../../store/store.ts";
import { previewOf } from "../../audience/segments/preview.ts";
import { acceptCondition, matchingNow, membersNow } from "../../audience/segments/references.ts";
import { findSegment } from "../../audience/segments/segment.ts";
import { namesIn, inCondition, type Names } from "./names.ts";
import { countInside } from "./queries.ts";
import type { FileChange, FileChanges, FilePeople } from "./record.ts";

/** Counting is slow: for further segments, the plan has no numbers. */
const MOST_COUNTED = 20;
const NOBODY: FilePeople = { enter: 0, leave: 0, stay: 0, approximate: false };

/** The plan with its people. */
export async function withPeople(store: Store, workspace: number, plan: FileChanges): Promise<FileChanges> {
  const counted = plan.changes.filter(({ kind }) => kind === "segments" || kind === "workflows").slice(0, MOST_COUNTED);
  if (counted.length === 0) return plan;
  const people = new Map<FileChange, FilePeople | null>();
  const names = await store.read((reader) => namesIn(reader, workspace));
  for (const change of counted) {
    const counting = (reader: Reader) => peopleOf(reader, store, { workspace, names, change });
    people.set(change, await store.read(counting, { longFor: workspace }));
  }
  return { ...plan, changes: plan.changes.map((one) => ({ ...one, people: people.get(one) ?? null })) };
}

type CountTerms = { readonly workspace: number; readonly names: Names; readonly change: FileChange };

async function peopleOf(reader: Reader, store: Store, counting: CountTerms): Promise<FilePeople | null> {
  const { workspace, names, change } = counting;
  const id = names.find(change.kind, change.name)?.id ?? null;
  if (change.kind === "segments") return movedBy(reader, store, counting, id);
  const stay = id === null ? 0 : await countInside(reader, workspace, id);
  return { ...NOBODY, stay };
}

/** Null: the condition names another new segment, which has no members yet. */
async function movedBy(
  reader: Reader,
  store: Store,
  { workspace, names, change }: CountTerms,
  id: string | null,
): Promise<FilePeople | null> {
  if ((change.after ?? change.before)?.["type"] === "STATIC") return null;
  const nowMs = store.clock.nowMs();
  try {
    const segment = id === null ? null : await findSegment(reader, workspace, id);
    const before = segment === null ? sql`1 = 0` : await membersNow(reader, segment, nowMs);
    const after = change.after === null ? sql`1 = 0` : await matching(change.after["condition"]);
    const [entering, leaving] = [sql`(${after}) and not (${before})`, sql`(${before}) and not (${after})`];
    const [enter, leave] = [await people(entering), await people(leaving)];
    return {
      ...NOBODY,
      enter: enter.matched,
      leave: leave.matched,
      approximate: enter.approximate || leave.approximate,
    };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }

  async function matching(condition: unknown): Promise<Sql> {
    const byIds = inCondition(condition, (name) => names.idOf("segments", name));
    const accepted = await acceptCondition(reader, workspace, byIds);
    return matchingNow(reader, workspace, accepted.condition, nowMs);
  }

  function people(matching: Sql) {
    return previewOf(reader, store, { workspace, nowMs, whom: { matching }, input: {} });
  }
}
