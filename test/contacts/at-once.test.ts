// Changes of one contact at the same moment.
import { expect, test } from "bun:test";
import { upsertContact } from "../../src/contacts/upsert.ts";
import { contactByEmail } from "../../src/contacts/queries.ts";
import { secretsOf } from "../../src/secrets.ts";
import { createWorkspace } from "../../src/workspaces/workspace.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE } from "../support/database.ts";
import { freshStore } from "../support/store.ts";

// SQLite has one writer at a time.
test.skipIf(ENGINE !== "postgres")("two who have found it and change it both come through at once", async () => {
  const { store, remove } = await freshStore(new TestClock());
  const email = "ada@example.com";
  const { seq } = await store.write((tx) => createWorkspace(tx, secretsOf(Buffer.alloc(32)), "one"));
  const input = { email, subscribed: undefined, subscribedIfNew: true };
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
  const contact = await store.read((reader) => contactByEmail(reader, seq, email));
  expect([attempts, contact?.data]).toEqual([2, { one: true, other: true }]);
  await remove();
});
