// A search of many contacts: the same answer, whether what is sought lies near or far.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { listContacts, type ListInput } from "../../src/audience/contacts/list/list.ts";
import { indexStep } from "../../src/audience/contacts/search/search-preparation.ts";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { secretsOf } from "../../src/base/secrets.ts";
import { createWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { TestClock } from "../support/clock.ts";
import type { Json } from "../support/posthorn.ts";
import { freshStore, type FreshStore } from "../support/store.ts";

/** More than are looked at first. */
const MANY = 2_300;
const LIMIT = 10;
const isRare = (n: number) => n % 150 === 0;

let fresh: FreshStore;

beforeEach(async () => void (fresh = await freshStore(new TestClock())));
afterEach(() => fresh.remove());

const WHOEVER = { status: null, saying: null, sinceMs: null, inSegment: null, byImport: null };

async function peopled(emails: readonly string[]) {
  const { store } = fresh;
  const { seq: workspace, id: workspaceId } = await store.write((tx) =>
    createWorkspace(tx, secretsOf(Buffer.alloc(32)), "one"),
  );
  for (let from = 0; from < MANY; from += 100) {
    const wishes = emails
      .slice(from, from + 100)
      .map((email) => ({ email, subscribed: true, voice: KEY_VOICE, subscribedIfNew: true, data: {} }));
    await store.write((tx) => Promise.all(wishes.map((wish) => upsertContact(tx, workspace, wish))));
  }
  return async (search: string, part: Partial<ListInput> = {}) => {
    const input = {
      limit: LIMIT,
      subscribed: null,
      ...WHOEVER,
      search,
      sort: "createdAt",
      dir: "desc",
      ...part,
    } as const;
    const seen: string[] = [];
    for (let cursor: string | null = null; ;) {
      const page = await listContacts(store, { workspace, workspaceId, topics: [] }, { ...input, cursor });
      const contacts: Json[] = JSON.parse(`[${page.contacts}]`);
      seen.push(...contacts.map(({ email }) => email));
      if (page.cursor === null) return seen;
      expect(contacts).toHaveLength(LIMIT);
      cursor = page.cursor;
    }
  };
}

/** Most of them are in the index then, the newest are not. */
async function indexed(): Promise<void> {
  while ((await indexStep(fresh.store)) === 0);
}

test("a search finds all, in the list's order, a page at a time, whether they are in the index or not (slow)", async () => {
  const emails = Array.from(
    { length: MANY },
    (_, n) => `u${String(n).padStart(5, "0")}.${isRare(n) ? "rare" : "usual"}@example.com`,
  );
  const found = await peopled(emails);
  const expectAll = async (present: readonly string[]) => {
    for (const text of ["rare", "usual"]) {
      const meant = present.filter((email) => email.includes(text));
      expect(await found(text)).toEqual(meant.toReversed());
      expect(await found(text, { dir: "asc", subscribed: true })).toEqual(meant);
      expect(await found(text, { sort: "email", dir: "asc" })).toEqual(meant.toSorted());
    }
    expect(await found("nobody")).toEqual([]);
  };
  await expectAll(emails);
  await indexed();
  await expectAll(emails);
  const [first, last] = [emails[0] as string, emails.at(-1) as string];
  await fresh.store.write(async (tx) => {
    await tx.run`delete from contacts where email in (${first}, ${last})`;
    await tx.run`update contacts set email = 'away1@example.com', sought = 'away1@example.com' where email = ${emails[150] as string}`;
    await tx.run`update contacts set email = 'away2@example.com', sought = 'away2@example.com' where email = ${emails[2_250] as string}`;
  });
  expect(await found("away")).toEqual(["away2@example.com", "away1@example.com"]);
  await expectAll(emails.filter((_, n) => ![0, 150, 2_250, MANY - 1].includes(n)));
});

test("two characters are found wherever they are, also far behind (slow)", async () => {
  const rare = [
    "qa.one@example.com",
    "one'qb@example.com",
    "+x@q-c.example.com",
    "one@example.com.qd",
    "ödq@example.org",
  ];
  const others = Array.from({ length: MANY }, (_, n) => `u${n}@example.com`);
  const found = await peopled([...rare, ...others]);
  await indexed();
  for (const two of ["qa", "'q", "qb", "+x", "q-", "qd", "öd", "od", "dq", "q@", "qe", 'q"', '"q'])
    expect([two, await found(two)]).toEqual([
      two,
      rare.filter((email) => email.includes(two.replace("od", "öd"))).toReversed(),
    ]);
  expect(await found("qa .o")).toEqual(["qa.one@example.com"]);
  expect(await found("dq org")).toEqual(["ödq@example.org"]);
  expect(await found("qa qd")).toEqual([]);
});
