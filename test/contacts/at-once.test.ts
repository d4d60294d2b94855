// Changes of one contact at the same moment.
import { expect, test } from "bun:test";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import type { ContactInput } from "../../src/audience/contacts/wanted.ts";
import { contactByEmail } from "../../src/audience/contacts/queries.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { AppError } from "../../src/base/errors.ts";
import { secretsOf } from "../../src/base/secrets.ts";
import { attempt } from "../../src/store/shared-tx.ts";
import type { Store, Tx } from "../../src/store/store.ts";
import { createWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE } from "../support/database.ts";
import { freshStore } from "../support/store.ts";

const email = "ada@example.com";
const input = { email, subscribed: undefined, voice: KEY_VOICE, subscribedIfNew: true };

async function open() {
  const { store, remove } = await freshStore(new TestClock());
  const { seq } = await store.write((tx) => createWorkspace(tx, secretsOf(Buffer.alloc(32)), "one"));
  return { store, seq, [Symbol.asyncDispose]: remove };
}

/** All in one transaction; answers what became of each, and how often a contact was read. */
async function atOnce(store: Store, workspace: number, changes: readonly Partial<ContactInput>[]) {
  return store.write(async (tx) => {
    const reads: string[] = [];
    const all = tx.all.bind(tx);
    tx.all = (...statement: Parameters<Tx["all"]>) => {
      if (statement[0].join("").includes("from contacts")) reads.push(statement[0].join("?"));
      return all(...statement);
    };
    const upsert = (one: Partial<ContactInput>) =>
      attempt(tx, (own) => upsertContact(own, workspace, { ...input, data: {}, ...one }));
    return { outcomes: await Promise.all(changes.map(upsert)), reads: reads.length };
  });
}

function contactOf(store: Store, workspace: number) {
  return store.read((reader) => contactByEmail(reader, workspace, email));
}

const KEYS = Array.from({ length: 16 }, (_, index) => `key${index}`);
const DATA = Object.fromEntries(KEYS.map((key) => [key, true]));

test("many changes look the contact up and lock it once, and each adds its own", async () => {
  await using opened = await open();
  const { store, seq } = opened;
  const changes = KEYS.map((key) => ({ data: { [key]: true } }));
  expect(await atOnce(store, seq, changes)).toMatchObject({ reads: 1 });
  expect(await contactOf(store, seq)).toMatchObject({ data: DATA, subscribed: true });
  const { reads, outcomes } = await atOnce(store, seq, [{}, ...KEYS.map((key) => ({ data: { [key]: null, n: key } }))]);
  expect([reads, outcomes.map((one) => "isNew" in one && one.isNew)]).toEqual([2, [false, ...KEYS.map(() => false)]]);
  expect((await contactOf(store, seq))?.data).toEqual({ n: "key15" });
});

test("one who is refused leaves the contact as the one before had it", async () => {
  await using opened = await open();
  const { store, seq } = opened;
  const refusal = new AppError("CONFLICT", "no");
  const refused = { data: { refused: true }, admit: () => refusal };
  const { outcomes } = await atOnce(store, seq, [{ data: { a: 1 } }, refused, { data: { b: 2 }, subscribed: false }]);
  expect(outcomes.map((one) => one === refusal)).toEqual([false, true, false]);
  expect(await contactOf(store, seq)).toMatchObject({ data: { a: 1, b: 2 }, subscribed: false });
});

// SQLite has one writer at a time.
test.skipIf(ENGINE !== "postgres")("two who have found it and change it both come through at once", async () => {
  await using opened = await open();
  const { store, seq } = opened;
  await store.write((tx) => upsertContact(tx, seq, { ...input, data: {} }));
  const bothHaveFound = Promise.withResolvers<void>();
  let attempts = 0;
  const change = (key: string) =>
    store.write(async (tx) => {
      await contactByEmail(tx, seq, email);
      if (++attempts === 2) bothHaveFound.resolve();
      await bothHaveFound.promise;
      return upsertContact(tx, seq, { ...input, data: { [key]: true } });
    });
  await Promise.all([change("one"), change("other")]);
  expect([attempts, (await contactOf(store, seq))?.data]).toEqual([2, { one: true, other: true }]);
});
