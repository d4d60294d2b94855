// The counted tags: a bounded number a workspace, since a program may make up a new one for each mail.
import { DAY_MS, iso } from "../../base/clock.ts";
import type { Tx } from "../../store/store.ts";
import * as queries from "./tag-queries.ts";
import type { Increment } from "./increments.ts";

const MOST_TAGS = 1_000;
/** At that number, a tag unused for this long gives its place to any other. */
const UNUSED_DAYS = 30;

/** The increments without uncounted tags. */
export async function withCountedTags(tx: Tx, increments: readonly Increment[]): Promise<readonly Increment[]> {
  const tagged = Map.groupBy(
    increments.filter(({ tags }) => tags !== null),
    ({ workspace }) => workspace,
  );
  if (tagged.size === 0) return increments;
  const counted = new Map<number, ReadonlySet<string>>();
  // In a fixed order, to avoid deadlocks.
  for (const [workspace, those] of [...tagged].sort(([one], [other]) => one - other))
    counted.set(workspace, await countedOf(tx, workspace, usesIn(those)));
  return increments.map((increment) => {
    const kept = tagsIn(increment).filter((tag) => counted.get(increment.workspace)?.has(tag));
    return { ...increment, tags: kept.length > 0 ? JSON.stringify(kept) : null };
  });
}

function dayOf(ms: number): string {
  return iso(ms).slice(0, 10);
}

/** Each tag with the number of mails accepted with it, in a fixed order. */
function usesIn(increments: readonly Increment[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const increment of increments)
    for (const tag of tagsIn(increment))
      uses.set(tag, (uses.get(tag) ?? 0) + (increment.what === "accepted" ? increment.times : 0));
  return new Map([...uses].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function tagsIn({ tags }: Increment): string[] {
  return tags === null ? [] : (JSON.parse(tags) as string[]);
}

/** `uses`: by the number of newly accepted mails. */
async function countedOf(tx: Tx, workspace: number, uses: ReadonlyMap<string, number>): Promise<ReadonlySet<string>> {
  const today = dayOf(tx.nowMs);
  const use = (names: readonly string[]) =>
    queries.addUses(
      tx,
      { workspace, day: today },
      names.map((name) => ({ name, uses: uses.get(name) ?? 0 })),
    );
  const known = await queries.countedAmong(tx, workspace, [...uses.keys()]);
  const names = new Set(known.map(({ name }) => name));
  const stale = new Set(known.filter(({ usedOn }) => usedOn < today).map(({ name }) => name));
  await use([...uses].flatMap(([name, mails]) => (names.has(name) && (mails > 0 || stale.has(name)) ? name : [])));
  const others = [...uses.keys()].filter((tag) => !names.has(tag));
  if (others.length === 0) return names;
  let places = MOST_TAGS - (await queries.countCounted(tx, workspace));
  if (places < others.length)
    places += await queries.deleteUnused(tx, workspace, dayOf(tx.nowMs - UNUSED_DAYS * DAY_MS));
  const free = others.slice(0, Math.max(places, 0));
  await use(free);
  const left = others.slice(free.length);
  const won = left.length === 0 ? [] : await replaceLeastUsed(tx, workspace, left, today);
  return new Set([...names, ...free, ...won]);
}

/** The tags among these that more mails have than the least used ones, whose places they take. */
async function replaceLeastUsed(tx: Tx, workspace: number, tags: readonly string[], day: string): Promise<string[]> {
  const rising = (await queries.usesOf(tx, workspace, tags)).sort((one, other) => other.uses - one.uses);
  const least = (await queries.countedOf(tx, workspace)).sort((one, other) => one.uses - other.uses);
  const won = rising.filter(({ uses }, at) => uses > (least[at]?.uses ?? Infinity));
  if (won.length === 0) return [];
  const lost = least.slice(0, won.length).map(({ name }) => name);
  await queries.deleteCounted(tx, workspace, lost);
  await queries.addUses(tx, { workspace, day }, won);
  return won.map(({ name }) => name);
}
