// The changes that an import made to each contact, kept for seven days: its numbers open as lists, and it can be
// undone.
import { DAY_MS } from "../../base/clock.ts";
import type { Tx } from "../../store/store.ts";
import type { UpsertResult } from "../../audience/contacts/upsert.ts";
import { changedKeys, type Variables } from "../../audience/contacts/data.ts";
import type { Contact } from "../../audience/contacts/queries.ts";
import { importedAmong, keepImported, type PriorContact } from "../../audience/contacts/past/imported-queries.ts";

/** Counted from the acceptance of the file. */
export const UNDONE_WITHIN_MS = 7 * DAY_MS;

/** Contacts that became members of the segment. */
export type SegmentEntrants = { readonly segment: number; readonly contacts: ReadonlySet<number> };

/**
 * Records changes in the order in which they were made: a contact may occur more than once, also in an earlier batch of
 * the same job. Answers the number of repetitions.
 */
export async function noteImported(
  tx: Tx,
  job: number,
  done: readonly UpsertResult[],
  joined: SegmentEntrants,
): Promise<number> {
  const known = done.flatMap(({ contact, isNew }) => (isNew ? [] : contact.seq));
  const notes = new Map((await importedAmong(tx, job, known)).map((one) => [one.contact, one]));
  let repeated = 0;
  for (const { contact, isNew, before = contact } of done) {
    const into = joined.contacts.has(contact.seq) ? { joined: joined.segment } : {};
    const former = isNew ? null : { ...formerOf(before, contact), ...into };
    const earlier = notes.get(contact.seq);
    if (earlier) repeated++;
    const first = earlier ? earliest(earlier.former, former) : former;
    notes.set(contact.seq, { contact: contact.seq, former: first, changedAt: contact.updatedAt });
  }
  await keepImported(tx, job, [...notes.values()]);
  return repeated;
}

function formerOf(before: Contact, after: Contact): PriorContact {
  const keys = changedKeys(before.data, after.data);
  const formerValue = (key: string): [] | [unknown] => (Object.hasOwn(before.data, key) ? [before.data[key]] : []);
  return {
    ...(keys.length > 0 ? { data: Object.fromEntries(keys.map((key) => [key, formerValue(key)])) } : {}),
    ...(before.topics !== after.topics ? { topics: before.topics } : {}),
    ...(before.subscribed !== after.subscribed ? { subscribed: before.subscribed } : {}),
    ...(before.suppressed !== after.suppressed ? { suppressed: before.suppressed } : {}),
  };
}

function earliest(first: PriorContact | null, second: PriorContact | null): PriorContact | null {
  if (first === null || second === null) return first;
  const data = { ...second.data, ...first.data };
  return { ...second, ...first, ...(Object.keys(data).length > 0 ? { data } : {}) };
}

/** The data with the changed keys restored. */
export function restored(data: Variables, { data: former = {} }: PriorContact): Variables {
  const keys = new Set([...Object.keys(data), ...Object.keys(former)]);
  const valueOf = (key: string): readonly unknown[] => (Object.hasOwn(former, key) ? (former[key] ?? []) : [data[key]]);
  return Object.fromEntries([...keys].flatMap((key) => valueOf(key).map((value) => [key, value])));
}
