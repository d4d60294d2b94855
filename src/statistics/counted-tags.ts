// The tags that are counted: a bounded number a workspace, since a program may make up a new one for each mail.
import { DAY_MS, iso } from "../clock.ts";
import type { Tx } from "../store/store.ts";
import * as queries from "./tag-queries.ts";
import type { Fact } from "./facts.ts";

const MOST_TAGS = 1_000;
/** Where there are so many, a tag that was not used for this long gives its place to another one. */
const UNUSED_DAYS = 30;

/** The facts, without the tags that are not counted. */
export async function withCountedTags(tx: Tx, facts: readonly Fact[]): Promise<readonly Fact[]> {
  const tagged = Map.groupBy(
    facts.filter(({ tags }) => tags !== null),
    ({ workspace }) => workspace,
  );
  if (tagged.size === 0) return facts;
  const counted = new Map<number, ReadonlySet<string>>();
  // In one order, so that two transactions never wait for each other.
  for (const [workspace, those] of [...tagged].sort(([one], [other]) => one - other))
    counted.set(workspace, await countedOf(tx, workspace, [...new Set(those.flatMap(tagsIn))].sort()));
  return facts.map((fact) => {
    const kept = tagsIn(fact).filter((tag) => counted.get(fact.workspace)?.has(tag));
    return { ...fact, tags: kept.length > 0 ? JSON.stringify(kept) : null };
  });
}

function dayOf(ms: number): string {
  return iso(ms).slice(0, 10);
}

function tagsIn({ tags }: Fact): string[] {
  return tags === null ? [] : (JSON.parse(tags) as string[]);
}

async function countedOf(tx: Tx, workspace: number, tags: readonly string[]): Promise<ReadonlySet<string>> {
  const today = dayOf(tx.nowMs);
  const known = await queries.countedAmong(tx, workspace, tags);
  const old = known.filter(({ usedOn }) => usedOn < today).map(({ name }) => name);
  if (old.length > 0) await queries.setUsed(tx, workspace, old, today);
  const names = new Set(known.map(({ name }) => name));
  const others = tags.filter((tag) => !names.has(tag));
  if (others.length === 0) return names;
  let places = MOST_TAGS - (await queries.countCounted(tx, workspace));
  if (places < others.length)
    places += await queries.deleteUnused(tx, workspace, dayOf(tx.nowMs - UNUSED_DAYS * DAY_MS));
  for (const name of others.slice(0, Math.max(places, 0))) {
    await queries.insertCounted(tx, workspace, name, today);
    names.add(name);
  }
  return names;
}
