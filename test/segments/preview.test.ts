// The sample that a preview looks at first: the same people, whether each is looked up or all numbers are read.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { secretsOf } from "../../src/base/secrets.ts";
import { lookedAt, numbersOf, type SampleRange } from "../../src/audience/segments/preview-queries.ts";
import { createWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { TestClock } from "../support/clock.ts";
import { freshStore, type FreshStore } from "../support/store.ts";

const MANY = 1_000;
const EVERY = 40;

let fresh: FreshStore;

beforeEach(async () => void (fresh = await freshStore(new TestClock())));
afterEach(() => fresh.remove());

test("a sample has one contact of so many, nobody of another workspace, and no contacts made alike (slow)", async () => {
  const { store } = fresh;
  const secrets = secretsOf(Buffer.alloc(32));
  const [one, other] = await store.write((tx) =>
    Promise.all(["one", "other"].map((name) => createWorkspace(tx, secrets, name))),
  );
  const wish = (n: number) => ({
    email: `u${n}@example.com`,
    subscribed: true,
    voice: KEY_VOICE,
    subscribedIfNew: true,
    data: {},
  });
  for (let n = 0; n < MANY; n += 100)
    await store.write(async (tx) => {
      for (let at = n; at < n + 100; at++) await upsertContact(tx, (at % 10 === 3 ? other : one)?.seq ?? 0, wish(at));
    });
  const workspace = one?.seq ?? 0;
  const numbers = await store.read((reader) => numbersOf(reader, workspace));
  expect(numbers.last - numbers.first).toBe(MANY - 1);
  const chosen = async (total: number) => {
    const looked: SampleRange = { workspace, every: EVERY, total, ...numbers };
    const rows = await store.read(
      (reader) => reader.all<{ seq: number }>`select c.seq from contacts c where ${lookedAt(looked)} order by c.seq`,
    );
    return rows.map(({ seq }) => seq - numbers.first);
  };
  const lookedUp = await chosen(1_000_000);
  expect(lookedUp).toEqual(await chosen(MANY));
  const places = lookedUp.map((at) => Math.floor(at / EVERY));
  expect(places).toEqual([...new Set(places)]);
  expect(places.length).toBeGreaterThan((MANY / EVERY) * 0.8);
  expect(lookedUp.filter((at) => at % 10 === 3)).toEqual([]);
  expect(new Set(lookedUp.map((at) => at % 10)).size).toBeGreaterThan(5);
});
