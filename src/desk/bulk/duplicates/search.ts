// Finds contacts that may be the same person, on request. All contacts are read twice in short windows: first for the
// hashes of their keys, of which the repeated ones are kept, then for the contacts behind them. A search of a process
// that died is begun again by another.
import { iso, MINUTE_MS, type Clock } from "../../../base/clock.ts";
import { restUntil, SHORT_REST_MS } from "../../../base/jobs/due.ts";
import type { Store } from "../../../store/store.ts";
import { Hashes } from "./hashes.ts";
import { hashOf, keysOf, type DuplicateReason } from "./keys.ts";
import * as queries from "./queries.ts";

/** Signalled when a search is requested. */
export const DUPLICATES = "duplicates";

const CONTACTS_A_WINDOW = 1_000;
/** The limit of groups that are kept and shown. */
const MAX_GROUPS = 10_000;
/** As many as one merge takes, and the contact that stays. */
export const MAX_IN_GROUP = 11;
const GROUPS_A_PIECE = 200;
const LEASE_MS = 10 * MINUTE_MS;

/** Carries out one search; answers for how long none is due. */
export async function searchStep(store: Store, clock: Clock): Promise<number> {
  const restMs = restUntil(await store.read(queries.nextSearchDue), clock.nowMs());
  if (restMs > 0) return restMs;
  const search = await store.write((tx) => queries.claimSearch(tx, iso(tx.nowMs + LEASE_MS)));
  if (!search) return SHORT_REST_MS;
  const { groups, isCut } = await findDuplicates(store, search);
  while ((await store.write((tx) => queries.deleteFound(tx, search.workspace, GROUPS_A_PIECE))) === GROUPS_A_PIECE);
  for (let from = 0; from < groups.length; from += GROUPS_A_PIECE)
    await store.write((tx) => queries.insertGroups(tx, search.workspace, groups.slice(from, from + GROUPS_A_PIECE)));
  await store.write((tx) => queries.endSearch(tx, search, isCut));
  return 0;
}

async function findDuplicates(store: Store, search: queries.DuplicateSearch) {
  const hashes = new Hashes();
  await eachContact(store, search, (contact) => keysOf(contact).forEach((key) => hashes.add(hashOf(key))));
  const repeated = await hashes.repeated(2 * MAX_GROUPS);
  const found = new Map<string, { readonly reason: DuplicateReason; readonly contacts: number[] }>();
  if (repeated.size > 0)
    await eachContact(store, search, (contact) => {
      for (const key of keysOf(contact)) {
        if (!repeated.has(hashOf(key))) continue;
        const name = `${key.reason} ${key.text}`;
        const group = found.get(name) ?? { reason: key.reason, contacts: [] };
        if (group.contacts.length < MAX_IN_GROUP) group.contacts.push(contact.seq);
        found.set(name, group);
      }
    });
  const groups = await meant(store, [...found.values()]);
  return { groups: groups.slice(0, MAX_GROUPS), isCut: groups.length > MAX_GROUPS };
}

async function eachContact(
  store: Store,
  search: queries.DuplicateSearch,
  see: (contact: queries.DuplicateCandidate) => void,
): Promise<void> {
  const { workspace } = search;
  for (let after = 0, windows = 1; ; windows++) {
    const some = await store.read((reader) => queries.contactsAfter(reader, workspace, after, CONTACTS_A_WINDOW), {
      longFor: workspace,
      byLoop: true,
    });
    some.forEach(see);
    const last = some.at(-1);
    if (!last || some.length < CONTACTS_A_WINDOW) return;
    after = last.seq;
    if (windows % 100 === 0) await store.write((tx) => queries.keepLease(tx, search, iso(tx.nowMs + LEASE_MS)));
  }
}

type DuplicateMatch = { readonly reason: DuplicateReason; readonly contacts: readonly number[] };

/** Without groups of one contact, ones whose pairs are all dismissed, and ones already found by the address. */
async function meant(store: Store, all: readonly DuplicateMatch[]): Promise<queries.DuplicateGroup[]> {
  const several = all.filter(({ contacts }) => contacts.length > 1);
  const inOrder = several.toSorted((one, other) => Number(one.reason === "name") - Number(other.reason === "name"));
  const seen = new Set<string>();
  const groups: queries.DuplicateGroup[] = [];
  for (const { reason, contacts } of inOrder) {
    const name = contacts.join(" ");
    if (seen.has(name)) continue;
    seen.add(name);
    const dismissed = await store.read((reader) => queries.dismissedAmong(reader, contacts));
    if (dismissed.length < (contacts.length * (contacts.length - 1)) / 2)
      groups.push({ number: groups.length + 1, reason, contacts });
  }
  return groups;
}
