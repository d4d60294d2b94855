// A contact and the suppression of its address, made at the same moment by two transactions. SQLite has one writer at a
// time.
import { describe, expect, test } from "bun:test";
import { changeContact } from "../../src/audience/contacts/change.ts";
import { contactByEmail } from "../../src/audience/contacts/queries.ts";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import type { ContactInput } from "../../src/audience/contacts/wanted.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { secretsOf } from "../../src/base/secrets.ts";
import type { Store, Tx } from "../../src/store/store.ts";
import { liftAddress, suppress } from "../../src/audience/suppressions/suppression.ts";
import { createWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE } from "../support/database.ts";
import { freshStore } from "../support/store.ts";

const EMAIL = "ada@example.com";
const input: ContactInput = { email: EMAIL, subscribed: undefined, voice: KEY_VOICE, subscribedIfNew: true, data: {} };

async function open() {
  const { store, remove } = await freshStore(new TestClock());
  const { seq } = await store.write((tx) => createWorkspace(tx, secretsOf(Buffer.alloc(32)), "one"));
  return { store, seq, [Symbol.asyncDispose]: remove };
}

type Work = (tx: Tx) => Promise<unknown>;

/** The other one begins before `first` is over, and goes on until it is done or waits for it. */
async function oneInTheOther(store: Store, first: Work, other: Work): Promise<void> {
  const second = Promise.withResolvers<void>();
  let isBegun = false;
  await store.write(async (tx) => {
    await first(tx);
    if (isBegun) return;
    isBegun = true;
    let isDone = false;
    store
      .write(async (own) => {
        await other(own);
        isDone = true;
      })
      .then(second.resolve, second.reject);
    while (!isDone && !(await isWaiting(store))) await Promise.resolve();
  });
  await second.promise;
}

async function isWaiting(store: Store): Promise<boolean> {
  const row = await store.read(
    (reader) => reader.get`
    select 1 as waits from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and not l.granted limit 1`,
  );
  return row !== null;
}

describe.skipIf(ENGINE !== "postgres")("a contact is marked as its address is", () => {
  const standing = async (store: Store, workspace: number, email = EMAIL) =>
    (await store.read((reader) => contactByEmail(reader, workspace, email)))?.suppressed;

  test("that was suppressed while the contact was made", async () => {
    await using opened = await open();
    const { store, seq } = opened;
    await oneInTheOther(
      store,
      (tx) => upsertContact(tx, seq, input),
      (tx) => suppress(tx, seq, { target: EMAIL, reason: "manual", scope: "all" }),
    );
    expect(await standing(store, seq)).toBe("manual");
  });

  test("that was being suppressed when the contact was made", async () => {
    await using opened = await open();
    const { store, seq } = opened;
    await oneInTheOther(
      store,
      (tx) => suppress(tx, seq, { target: EMAIL, reason: "bounce", scope: "all" }),
      (tx) => upsertContact(tx, seq, input),
    );
    expect(await standing(store, seq)).toBe("bounce");
  });

  test("that was lifted while the contact was made", async () => {
    await using opened = await open();
    const { store, seq } = opened;
    await store.write((tx) => suppress(tx, seq, { target: EMAIL, reason: "manual", scope: "all" }));
    await oneInTheOther(
      store,
      (tx) => upsertContact(tx, seq, input),
      (tx) => liftAddress(tx, seq, EMAIL, {}),
    );
    expect(await standing(store, seq)).toBeNull();
  });

  test("which it got while that was being suppressed", async () => {
    await using opened = await open();
    const { store, seq } = opened;
    const { id } = (await store.write((tx) => upsertContact(tx, seq, input))).contact;
    const email = "new@example.com";
    const target = { workspace: seq, id, cause: null };
    const rename = (tx: Tx) =>
      changeContact(tx, target, { email }, () => Promise.reject(new Error("Nobody is asked.")));
    await oneInTheOther(store, (tx) => suppress(tx, seq, { target: email, reason: "manual", scope: "all" }), rename);
    expect(await standing(store, seq, email)).toBe("manual");
  });
});

/** On each engine. */
describe("a contact that is made anew", () => {
  test("by a secret key that subscribes it is not marked, and nothing suppresses its address any more", async () => {
    await using opened = await open();
    const { store, seq } = opened;
    await store.write((tx) => suppress(tx, seq, { target: EMAIL, reason: "bounce", scope: "all" }));
    const { contact } = await store.write((tx) => upsertContact(tx, seq, { ...input, subscribed: true }));
    expect(contact).toMatchObject({ suppressed: null, subscribed: true });
    expect(await store.read((reader) => reader.all`select 1 from suppressions`)).toEqual([]);
  });
});
