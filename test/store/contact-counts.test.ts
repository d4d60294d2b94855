// The kept counts of contacts are what counting says, after every kind of change (src/audience/contacts/queries.ts).
import { expect, test } from "bun:test";
import { subscribe, unsubscribe } from "../../src/audience/contacts/contact.ts";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import { deleteContactsOf } from "../../src/audience/contacts/removal-queries.ts";
import { keptCount } from "../../src/audience/contacts/count-queries.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import type { Store, Tx } from "../../src/store/store.ts";
import { deleteWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { expectTrueCounts } from "../support/counts.ts";
import { workspace } from "../support/workspace.ts";

const WISH = { subscribed: undefined, voice: KEY_VOICE, subscribedIfNew: true, data: {} };

function counts(store: Store): Promise<number[]> {
  return store.read(async (reader) => [
    await keptCount(reader, 1, null),
    await keptCount(reader, 1, true),
    await keptCount(reader, 1, false),
  ]);
}

const whoIs = (seq: number) => ({ seq, email: "" });

test("after contacts are made, turned, turned again and deleted, alone and many at once (slow)", async () => {
  await using posthorn = await workspace();
  const { store } = posthorn;
  const one = (n: number) => upsertContactNumbered(store, n);
  expect(await counts(store)).toEqual([0, 0, 0]);
  const seqs = await Promise.all(Array.from({ length: 60 }, (_, n) => one(n % 40)));
  expect(await counts(store)).toEqual([40, 40, 0]);
  await Promise.all(seqs.slice(0, 10).map((seq) => store.write((tx) => unsubscribe(tx, 1, whoIs(seq)))));
  await Promise.all(
    seqs.slice(0, 10).map((seq) => store.write((tx) => unsubscribe(tx, 1, whoIs(seq), { reason: "bounce" }))),
  );
  expect(await counts(store)).toEqual([40, 30, 10]);
  await Promise.all(seqs.slice(5, 15).map((seq) => store.write((tx) => subscribe(tx, 1, whoIs(seq)))));
  expect(await counts(store)).toEqual([40, 35, 5]);
  const failing = store.write(async (tx) => {
    await upsertContact(tx, 1, { ...WISH, email: "nobody@example.com" });
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await store.write((tx) => deleteContactsOf(tx, 1, 7))).toBe(7);
  expect((await counts(store))[0]).toBe(33);
  await expectTrueCounts(store);
  await store.write((tx) => deleteContactsOf(tx, 1, 100));
  expect(await counts(store)).toEqual([0, 0, 0]);
});

test("of a workspace that is deleted with its contacts nothing is left", async () => {
  await using posthorn = await workspace();
  const { store } = posthorn;
  await upsertContactNumbered(store, 1);
  await store.write((tx) => deleteWorkspace(tx, 1));
  expect(await store.read((reader) => reader.all`select * from contact_counts`)).toEqual([]);
});

async function upsertContactNumbered(store: Store, n: number): Promise<number> {
  const work = (tx: Tx) => upsertContact(tx, 1, { ...WISH, email: `p${n}@example.com` });
  return (await store.write(work)).contact.seq;
}
