// An event reaches each consumer once, in whatever order changes commit, processes die and consumers fail.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { Dispatcher, type Consumer, type Occurrence } from "../../src/tenant/events/dispatch.ts";
import { emit, emitEach } from "../../src/tenant/events/emit.ts";
import { listenersTo, listenTo } from "../../src/tenant/events/interests.ts";
import { touch } from "../../src/tenant/events/outbox.ts";
import { contactSubject, dataSubject, eventSubject } from "../../src/tenant/events/subjects.ts";
import { createLog } from "../../src/base/log.ts";
import { openPostgres } from "../../src/store/postgres/engine.ts";
import type { Store, Tx } from "../../src/store/store.ts";
import { secretsOf } from "../../src/base/secrets.ts";
import { createWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE } from "../support/database.ts";
import { freshStore, type FreshStore } from "../support/store.ts";

let clock: TestClock;
let fresh: FreshStore;
let workspace: number;
let logLines: string[];
let seen: string[];

const SECRETS = secretsOf(Buffer.alloc(32));
const log = () => createLog({ level: "debug", format: "text", clock, write: (line) => logLines.push(line) });

beforeEach(async () => {
  [clock, logLines, seen] = [new TestClock(), [], []];
  fresh = await freshStore(clock);
  workspace = (await fresh.store.write((tx) => createWorkspace(tx, SECRETS, "one"))).seq;
  await fresh.store.write((tx) => listenTo(tx, { workspace, kind: "workflow", listener: 1 }, [eventSubject("signup")]));
});

afterEach(() => fresh.remove());

const name = ({ event, subjects }: Occurrence) =>
  event === null ? subjects.join() : `${event.name} ${JSON.stringify(event.data)}`;
const noting: Consumer = {
  name: "noting",
  consume: async (_, occurrences) => void seen.push(...occurrences.map(name)),
};

/** Leaves a mark in the store itself, so that what is rolled back is not counted. */
const marking: Consumer = {
  name: "marking",
  consume: async (tx, occurrences) => {
    for (const { event } of occurrences) {
      await tx.run`insert into pacers (name, next_at_ms) values (${`${event?.seq}`}, 1)
        on conflict (name) do update set next_at_ms = pacers.next_at_ms + 1`;
    }
  },
};

const dispatcherOf = (store: Store, ...consumers: Consumer[]) =>
  new Dispatcher({ store, clock, log: log(), consumers });

async function untilQuiet(dispatcher: Dispatcher): Promise<void> {
  while ((await dispatcher.step()) === 0);
}

const signup = (tx: Tx, n = 1) => emit(tx, { workspace, name: "signup", contact: null, data: { n } });

async function outbox(): Promise<{ attempts: number; due_at: string | null }[]> {
  return fresh.store.read((reader) => reader.all`select attempts, due_at from outbox order by seq`);
}

async function marks(): Promise<number[]> {
  const rows = await fresh.store.read(
    (reader) => reader.all<{ times: number }>`select next_at_ms as times from pacers where name <> 'outgoing'`,
  );
  return rows.map((row) => row.times);
}

test("an event is given to each consumer in the order of the list, once", async () => {
  const order: string[] = [];
  const first: Consumer = { name: "first", consume: async () => void order.push("first") };
  const second: Consumer = { name: "second", consume: async () => void order.push("second") };
  await fresh.store.write((tx) => signup(tx));
  const dispatcher = dispatcherOf(fresh.store, first, second, noting);
  await untilQuiet(dispatcher);
  await untilQuiet(dispatcher);
  expect(order).toEqual(["first", "second"]);
  expect(seen.map((text) => text.replaceAll(" ", ""))).toEqual(['signup{"n":1}']);
});

test("of two who see that something is due one gives it out, and the other rests", async () => {
  await fresh.store.write((tx) => signup(tx));
  const steps = [1, 2].map(() => dispatcherOf(fresh.store, noting).step());
  const rests = (await Promise.all(steps)).sort((one, other) => one - other);
  expect([rests[0], rests[1] === 0, seen.length]).toEqual([0, false, 1]);
});

test("an event that nobody wants to know of is stored and never looked at again", async () => {
  await fresh.store.write((tx) => emit(tx, { workspace, name: "other", contact: null, data: {} }));
  expect(await outbox()).toEqual([]);
  expect(await fresh.store.read((reader) => reader.all`select name from events`)).toEqual([{ name: "other" }]);
});

test("another workspace's interest in an event of the same name concerns nobody here", async () => {
  const other = (await fresh.store.write((tx) => createWorkspace(tx, SECRETS, "two"))).seq;
  await fresh.store.write((tx) => emit(tx, { workspace: other, name: "signup", contact: null, data: {} }));
  expect(await outbox()).toEqual([]);
});

test("who listens to something else from now on no longer hears of the first", async () => {
  await fresh.store.write((tx) => listenTo(tx, { workspace, kind: "workflow", listener: 1 }, [eventSubject("login")]));
  await fresh.store.write((tx) => signup(tx));
  expect(await outbox()).toEqual([]);
  const listeners = await fresh.store.read((reader) =>
    listenersTo(reader, workspace, "workflow", [eventSubject("login")]),
  );
  expect(listeners).toEqual([1]);
});

test("what is rolled back has not happened", async () => {
  const failing = fresh.store.write(async (tx) => {
    await signup(tx);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await outbox()).toEqual([]);
});

test("a contact's changes are told by part, those that change nothing are not", async () => {
  const subjects = [contactSubject("new"), contactSubject("subscribed"), dataSubject("plan")];
  await fresh.store.write((tx) => listenTo(tx, { workspace, kind: "segment", listener: 1 }, subjects));
  const input = { email: "ada@example.com", subscribed: undefined, voice: KEY_VOICE, subscribedIfNew: true, data: {} };
  const upsert = (changes: object) => fresh.store.write((tx) => upsertContact(tx, workspace, { ...input, ...changes }));
  await upsert({});
  await upsert({});
  await upsert({ data: { age: 7 } });
  await upsert({ data: { plan: "pro", age: 7 } });
  await upsert({ data: { plan: "pro" } });
  await upsert({ subscribed: false });
  await untilQuiet(dispatcherOf(fresh.store, noting));
  expect(seen).toEqual([
    "contact:new",
    "contact:data.plan,contact:updatedAt",
    "contact:subscribed,contact:updatedAt,contact:paused",
  ]);
});

test("a change of very many keys is told to everybody who listens to the workspace", async () => {
  const subjects = Array.from({ length: 1_000 }, (_, index) => dataSubject(`k${index}`));
  await fresh.store.write((tx) => touch(tx, { workspace, contact: null, subjects }));
  const listeners = await fresh.store.read((reader) => listenersTo(reader, workspace, "workflow", subjects));
  expect([(await outbox()).length, listeners]).toEqual([1, [1]]);
});

test("one happening that a consumer cannot digest is parked, loudly; those beside it go their way", async () => {
  const choking: Consumer = {
    name: "choking",
    consume: async (_, occurrences) => {
      if (occurrences.some((one) => JSON.stringify(one.event?.data ?? {}).includes("3")))
        throw new Error("cannot digest 3");
    },
  };
  for (let n = 1; n <= 5; n++) await fresh.store.write((tx) => signup(tx, n));
  const dispatcher = dispatcherOf(fresh.store, choking, marking);
  for (let minute = 0; minute < 10; minute++) {
    await untilQuiet(dispatcher);
    clock.advance(60_000);
  }
  expect(await marks()).toEqual([1, 1, 1, 1]);
  expect(await outbox()).toEqual([{ attempts: 6, due_at: null }]);
  expect(logLines.filter((line) => line.includes("is parked"))).toHaveLength(1);
});

test("a consumer's own writes are undone with the batch that failed", async () => {
  let faults = 1;
  const failingOnce: Consumer = {
    name: "failing once",
    consume: async () => {
      if (faults-- > 0) throw new Error("once");
    },
  };
  for (let n = 1; n <= 3; n++) await fresh.store.write((tx) => signup(tx, n));
  await untilQuiet(dispatcherOf(fresh.store, marking, failingOnce));
  expect(await marks()).toEqual([1, 1, 1]);
});

test("catching up leaves nothing of the workspace undispatched", async () => {
  for (let n = 1; n <= 250; n++) await fresh.store.write((tx) => signup(tx, n));
  await dispatcherOf(fresh.store, noting).catchUp(workspace);
  expect([seen.length, await outbox()]).toEqual([250, []]);
});

test("catching up waits while another process has the rows in hand, and does not ask for them all the time", async () => {
  await fresh.store.write((tx) => signup(tx));
  let [isElsewhere, asked] = [true, 0];
  setTimeout(() => (isElsewhere = false), 15);
  const takingNothing: Store["write"] = async (work) => {
    if (!isElsewhere) return fresh.store.write(work);
    asked++;
    clock.advance(1);
    return undefined as never;
  };
  const { store } = fresh;
  const read: Store["read"] = (work, options) => store.read(work, options);
  await dispatcherOf({ ...store, read, write: takingNothing }, noting).catchUp(workspace);
  expect(asked).toBeLessThan(10);
  expect([seen.length, await outbox()]).toEqual([1, []]);
});

test.skipIf(ENGINE !== "postgres")(
  "several processes dispatch each event once, in whatever order transactions end",
  async () => {
    const stores = [fresh.store, ...(await Promise.all([1, 2].map(() => another())))];
    try {
      const dispatchers = stores.map((store) => dispatcherOf(store, marking));
      let isWriting = true;
      const dispatching = dispatchers.map(async (dispatcher) => {
        while (isWriting) await dispatcher.step();
      });
      await Promise.all(stores.flatMap((store) => Array.from({ length: 6 }, (_, at) => slowWriter(store, at))));
      isWriting = false;
      await Promise.all(dispatching);
      await Promise.all(dispatchers.map(untilQuiet));
      expect(await marks()).toEqual(Array(stores.length * 6 * 20).fill(1));
      expect(await outbox()).toEqual([]);
    } finally {
      await Promise.all(stores.slice(1).map((store) => store.close()));
    }
  },
);

/** A process of its own on the same database. */
async function another(): Promise<Store> {
  return (await openPostgres({ url: fresh.url as string, connections: 4 }, { clock, log: log(), opening: "use" }))
    .store;
}

/** Takes its numbers early and commits late, so that others overtake it. */
async function slowWriter(store: Store, at: number): Promise<void> {
  for (let n = 0; n < 20; n++) {
    await store.write(async (tx) => {
      await signup(tx, n);
      await tx.get`select ${0} as waited from pg_sleep(${((at * 7 + n * 3) % 5) / 1000})`;
    });
  }
}

test("what happens to many at once is one event for each, in their order", async () => {
  const contacts = await fresh.store.write(async (tx) => {
    const made: number[] = [];
    for (let n = 0; n < 150; n++) {
      const input = { email: `u${n}@example.com`, subscribed: true, voice: KEY_VOICE, subscribedIfNew: true, data: {} };
      made.push((await upsertContact(tx, workspace, input)).contact.seq);
    }
    return made;
  });
  const told: [number | null, number][] = [];
  const telling: Consumer = {
    name: "telling",
    consume: async (_, occurrences) =>
      void told.push(...occurrences.map((one): [number | null, number] => [one.contact, one.event?.seq ?? 0])),
  };
  await fresh.store.write((tx) => emitEach(tx, { workspace, name: "signup", data: { n: 1 } }, contacts));
  await fresh.store.write((tx) => emitEach(tx, { workspace, name: "unheard", data: {} }, contacts));
  await untilQuiet(dispatcherOf(fresh.store, telling));
  const events = await fresh.store.read(
    (reader) =>
      reader.all<{
        contact: number;
        seq: number;
      }>`select contact, seq from events where name = ${"signup"} order by seq`,
  );
  expect(told).toEqual(events.map(({ contact, seq }) => [contact, seq]));
  expect(told.map(([contact]) => contact)).toEqual(contacts);
});

test("whatever one workspace has waiting, an event of another is given in the next batch", async () => {
  const { seq: other } = await fresh.store.write((tx) => createWorkspace(tx, SECRETS, "other"));
  await fresh.store.write((tx) =>
    listenTo(tx, { workspace: other, kind: "workflow", listener: 2 }, [eventSubject("signup")]),
  );
  await fresh.store.write(async (tx) => {
    for (let n = 0; n < 500; n++) await signup(tx, n);
  });
  clock.advance(1_000);
  await fresh.store.write((tx) =>
    emit(tx, { workspace: other, name: "signup", contact: null, data: { theirs: true } }),
  );
  await dispatcherOf(fresh.store, noting).step();
  expect(seen.filter((text) => text.includes("theirs"))).toHaveLength(1);
  expect(seen.length).toBeLessThanOrEqual(100);
});
