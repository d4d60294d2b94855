// Memberships of contacts that become one, or two again. No entering or leaving is shown: the person was in it, and is.
import { leaveAll, move } from "../../../audience/segments/membership/membership.ts";
import { membershipsAmong, segmentsWith } from "../../../audience/segments/membership/queries.ts";
import { lockSegments } from "../../../audience/segments/queries.ts";
import type { Tx } from "../../../store/store.ts";

/** Takes a contact out of all segments; answers the STATIC ones. */
export async function leaveSegments(tx: Tx, contact: number): Promise<number[]> {
  const left = (await lockSegments(tx, await segmentsWith(tx, contact))).filter(({ type }) => type === "STATIC");
  await leaveAll(tx, [contact]);
  return left.map(({ seq }) => seq);
}

/** Adds a contact to these STATIC segments, as far as they still exist; answers those that it was not in. */
export async function joinSegments(tx: Tx, segments: readonly number[], contact: number): Promise<number[]> {
  if (segments.length === 0) return [];
  const inside = new Set((await membershipsAmong(tx, segments, [contact])).map(({ segment }) => segment));
  const joined = (await lockSegments(tx, segments)).filter(({ seq }) => !inside.has(seq));
  for (const segment of joined) await move(tx, { segment, entering: [contact], leaving: [] }, true);
  return joined.map(({ seq }) => seq);
}

export async function leaveThese(tx: Tx, segments: readonly number[], contact: number): Promise<void> {
  if (segments.length === 0) return;
  for (const segment of await lockSegments(tx, segments))
    await move(tx, { segment, entering: [], leaving: [contact] }, true);
}
