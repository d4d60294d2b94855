// Members that are kept: large workspaces, several processes, contacts that go.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { Dispatcher, type Occurrence } from "../../src/tenant/events/dispatch.ts";
import { emit } from "../../src/tenant/events/emit.ts";
import { contactSubject } from "../../src/tenant/events/subjects.ts";
import { createLog } from "../../src/base/log.ts";
import { secretsOf } from "../../src/base/secrets.ts";
import { members, memberCount } from "../../src/audience/segments/members.ts";
import { leaveAll, segmentMembership } from "../../src/audience/segments/membership/membership.ts";
import { matchingNow, membersNow } from "../../src/audience/segments/references.ts";
import { changeSegment, createSegment, findSegment, removeSegment } from "../../src/audience/segments/segment.ts";
import { sweepNow, sweepStep } from "../../src/audience/segments/membership/sweep.ts";
import { openPostgres } from "../../src/store/postgres/engine.ts";
import { flatten } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { createWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { Chance } from "../support/chance.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE } from "../support/database.ts";
import { somebodyWaits } from "../support/locks.ts";
import { freshStore, type FreshStore } from "../support/store.ts";

let clock: TestClock;
let fresh: FreshStore;
let workspace: number;

const log = () => createLog({ level: "error", format: "text", clock, write: () => {} });
const pro = { groups: [{ filters: [{ field: "plan", value: "pro" }] }] };
const free = { groups: [{ filters: [{ field: "plan", value: "free" }] }] };
/** More than are gone through at once, and more than one slice writes. */
const MANY = 2_600;

beforeEach(async () => {
  clock = new TestClock();
  fresh = await freshStore(clock);
  workspace = (await fresh.store.write((tx) => createWorkspace(tx, secretsOf(Buffer.alloc(32)), "one"))).seq;
});

afterEach(() => fresh.remove());

const dispatcherOf = (store: Store) => new Dispatcher({ store, clock, log: log(), consumers: [segmentMembership] });

async function untilQuiet(step: () => Promise<number>): Promise<void> {
  while ((await step()) === 0);
}

async function settle(): Promise<void> {
  await untilQuiet(() => dispatcherOf(fresh.store).step());
  await untilQuiet(() => sweepStep(fresh.store, clock));
}

/** Every second one is `pro`, the others are `free`. */
async function crowd(): Promise<void> {
  for (let n = 0; n < MANY; n += 200) {
    await fresh.store.write(async (tx) => {
      for (let at = n; at < n + 200; at++) await setPlan(tx, at, at % 2 === 0 ? "pro" : "free");
    });
  }
}

function setPlan(tx: Parameters<typeof upsertContact>[0], n: number, plan: string) {
  const input = {
    email: `u${n}@example.com`,
    subscribed: undefined,
    voice: KEY_VOICE,
    subscribedIfNew: true,
    data: { plan },
  };
  return upsertContact(tx, workspace, input);
}

const make = (input: object) => fresh.store.write((tx) => createSegment(tx, workspace, { name: "Pro", ...input }));
const again = (id: string) => fresh.store.read((reader) => findSegment(reader, workspace, id));

async function eventNames(): Promise<string[]> {
  const rows = await fresh.store.read((reader) => reader.all<{ name: string }>`select name from events order by seq`);
  return rows.map(({ name }) => name);
}

/** The rows of members, by segment, beside the counts that are kept. */
async function countsAreTrue(): Promise<void> {
  const rows = await fresh.store.read(
    (reader) => reader.all<{ kept: number; real: number }>`
      select s.member_count as kept, (select count(*) from segment_members m where m.segment = s.seq) as real from segments s`,
  );
  for (const { kept, real } of rows) expect(kept).toBe(real);
}

test("a new segment of a large workspace is true from its first moment, and filled behind that without events", async () => {
  await crowd();
  const { id } = await make({ condition: pro, trackMembership: true });
  const segment = await again(id);
  expect([segment.state, await memberCount(fresh.store, clock, segment)]).toEqual(["NEW", MANY / 2]);
  const page = await members(fresh.store, clock, segment, { limit: 2, offset: 0 });
  expect(page.map(({ email }) => email)).toEqual([`u${MANY - 2}@example.com`, `u${MANY - 4}@example.com`]);
  await settle();
  const filled = await again(id);
  expect([filled.state, filled.memberCount]).toEqual(["CURRENT", MANY / 2]);
  expect(await members(fresh.store, clock, filled, { limit: 2, offset: 0 })).toEqual(page);
  expect(await eventNames()).toEqual([]);
  await countsAreTrue();
});

test("while it is being filled, new contacts enter with their event, and those it has not come to are counted once", async () => {
  await crowd();
  const { id } = await make({ condition: pro, trackMembership: true });
  expect(await sweepStep(fresh.store, clock)).toBe(0);
  const half = await again(id);
  expect([half.state, half.memberCount, half.sweptTo > 0]).toEqual(["NEW", 1_000, true]);
  await fresh.store.write((tx) => setPlan(tx, MANY, "pro"));
  await fresh.store.write((tx) => setPlan(tx, 0, "free"));
  await fresh.store.write((tx) => setPlan(tx, MANY - 1, "pro"));
  await settle();
  expect(await eventNames()).toEqual(["segment.pro.entry", "segment.pro.exit"]);
  const filled = await again(id);
  expect([filled.state, filled.memberCount]).toEqual(["CURRENT", MANY / 2 + 1]);
  await countsAreTrue();
});

test("who comes to match just after the first sweep has looked is in", async () => {
  await crowd();
  const { id } = await make({ condition: pro, trackMembership: true });
  const changing: Pick<Store, "read" | "write"> = {
    read: async (work, options) => {
      const result = await fresh.store.read(work, options);
      if (options?.longFor) await fresh.store.write((tx) => setPlan(tx, 1, "pro"));
      await untilQuiet(() => dispatcherOf(fresh.store).step());
      return result;
    },
    write: (work) => fresh.store.write(work),
  };
  expect(await sweepStep(changing as Store, clock)).toBe(0);
  await settle();
  expect((await again(id)).memberCount).toBe(MANY / 2 + 1);
  expect(await eventNames()).toEqual([]);
  await countsAreTrue();
});

test("a changed condition in a large workspace is followed with events, a slice at a time", async () => {
  await crowd();
  const { id } = await make({ condition: pro, trackMembership: true });
  await settle();
  await fresh.store.write((tx) => changeSegment(tx, { workspace, person: null }, id, { condition: free }));
  const changed = await again(id);
  expect([changed.state, await memberCount(fresh.store, clock, changed)]).toEqual(["CHANGED", MANY / 2]);
  await settle();
  const names = await eventNames();
  expect(names.filter((name) => name.endsWith(".entry")).length).toBe(MANY / 2);
  expect(names.filter((name) => name.endsWith(".exit")).length).toBe(MANY / 2);
  expect((await again(id)).memberCount).toBe(MANY / 2);
  await countsAreTrue();
});

test("a condition that changes again while it is being followed counts from its start", async () => {
  await crowd();
  const { id } = await make({ condition: pro });
  await sweepStep(fresh.store, clock);
  await fresh.store.write((tx) => changeSegment(tx, { workspace, person: null }, id, { condition: free }));
  await settle();
  const segment = await again(id);
  expect([segment.state, segment.memberCount]).toEqual(["CURRENT", MANY / 2]);
  const [member] = await members(fresh.store, clock, segment, { limit: 1, offset: 0 });
  expect(member?.email).toBe(`u${MANY - 1}@example.com`);
});

test("who asks for a segment that is built on one being filled is answered truly", async () => {
  await crowd();
  const { id } = await make({ condition: pro });
  const outside = {
    logic: "AND" as const,
    groups: [{ filters: [{ field: `segment.${id}`, operator: "notMemberOf" as const }] }],
  };
  const found = await fresh.store.read(async (reader) => {
    const condition = await matchingNow(reader, workspace, outside, clock.nowMs());
    return reader.get<{ n: number }>`select count(*) as n from contacts c where ${condition}`;
  });
  expect(found?.n).toBe(MANY / 2);
  const built = await make({ name: "Outside", condition: outside });
  expect(await memberCount(fresh.store, clock, built)).toBe(MANY / 2);
  await settle();
  expect((await again(built.id)).memberCount).toBe(MANY / 2);
});

test("who lacks what a segment asks for is outside it, also where the condition itself is asked", async () => {
  await fresh.store.write((tx) => setPlan(tx, 1, "free"));
  const buyers = [{ field: "event.bought", operator: "triggeredWithin", value: 5, unit: "minutes" }];
  const { id } = await make({ name: "Buyers", condition: { groups: [{ filters: buyers }] } });
  const others = {
    logic: "AND" as const,
    groups: [{ filters: [{ field: `segment.${id}`, operator: "notMemberOf" as const }] }],
  };
  const countOthers = () =>
    fresh.store.read(async (reader) => {
      const condition = await matchingNow(reader, workspace, others, clock.nowMs());
      return (await reader.get<{ n: number }>`select count(*) as n from contacts c where ${condition}`)?.n;
    });
  expect(await countOthers()).toBe(1);
  clock.advance(90_000);
  expect(await countOthers()).toBe(1);
});

/** Each of the upper ones names all those below it. */
async function layers(count: number, filter: object): Promise<string> {
  let below: object[] = [];
  for (let layer = 1; layer <= 3; layer++) {
    clock.advance(1);
    const made = [];
    for (let n = 0; n < count; n++)
      made.push(await make({ name: `L ${layer} ${n}`, condition: { groups: [{ filters: [filter, ...below] }] } }));
    below = made.map(({ id }) => ({ field: `segment.${id}`, operator: "memberOf" }));
  }
  clock.advance(1);
  return (await make({ name: "Top", condition: { groups: [{ filters: [filter, ...below] }] } })).id;
}

test("segments that change with time and name many others make no endless statement", async () => {
  await fresh.store.write((tx) => setPlan(tx, 1, "pro"));
  const top = await layers(14, { field: "createdAt", operator: "within", value: 5, unit: "minutes" });
  clock.advance(90_000);
  const nowMs = clock.nowMs();
  const segment = await again(top);
  const condition = await fresh.store.read((reader) => membersNow(reader, segment, nowMs));
  expect(flatten(condition, () => "?").values.length).toBeLessThan(1_000);
  expect(await memberCount(fresh.store, clock, segment)).toBe(1);
  clock.advance(10 * 60_000);
  await settle();
  expect(await memberCount(fresh.store, clock, await again(top))).toBe(0);
});

test("among too many segments, one whose members are still being found is not asked for without them", async () => {
  await crowd();
  const top = await layers(8, { field: "plan", value: "pro" });
  await expect(memberCount(fresh.store, clock, await again(top))).rejects.toThrow("are still being found");
  await untilQuiet(() => sweepStep(fresh.store, clock));
  // Once more from below: in which order segments that are due at the same moment were swept, nobody has said.
  const made = await fresh.store.read((reader) => reader.all<{ id: string }>`select id from segments order by seq`);
  for (const { id } of made) await sweepNow(fresh.store, clock, await again(id));
  expect(await memberCount(fresh.store, clock, await again(top))).toBe(MANY / 2);
});

const filtered = (...filters: object[]) => ({ groups: [{ filters }] });

describe("a segment that names others", () => {
  const outside = (id: string) => ({ field: `segment.${id}`, operator: "notMemberOf" });

  /** Free to use before those that it is to name are there: its condition comes last. */
  async function builtOn(
    name: string,
    input: () => Promise<object>,
    first: "made first" | "made last",
  ): Promise<string> {
    if (first === "made last") return (await make({ name, condition: await input(), trackMembership: true })).id;
    const { id } = await make({
      name,
      condition: filtered({ field: "nothing", operator: "exists" }),
      trackMembership: true,
    });
    const condition = await input();
    await fresh.store.write((tx) => changeSegment(tx, { workspace, person: null }, id, { condition }));
    return id;
  }

  test.each(["made first", "made last"] as const)(
    "is not entered by who is in none of its moments (%s)",
    async (when) => {
      const input = async () => {
        const vip = await make({ name: "VIP", condition: pro, trackMembership: true });
        return filtered({ field: "plan", operator: "exists" }, outside(vip.id));
      };
      await builtOn("Others", input, when);
      await fresh.store.write((tx) => setPlan(tx, 1, "pro"));
      await settle();
      expect(await eventNames()).toEqual(["segment.vip.entry"]);
      await fresh.store.write((tx) => setPlan(tx, 1, "free"));
      await settle();
      expect((await eventNames()).slice(1).sort()).toEqual(["segment.others.entry", "segment.vip.exit"]);
    },
  );

  test("is not left by who is in it for another reason from the same moment on", async () => {
    const paying = await make({ name: "Pro", condition: pro });
    const condition = {
      logic: "OR",
      groups: [
        { filters: [{ field: "plan", value: "trial" }] },
        { filters: [{ field: `segment.${paying.id}`, operator: "memberOf" }] },
      ],
    };
    await make({ name: "Active", condition, trackMembership: true });
    for (const plan of ["trial", "pro", "trial"]) {
      await fresh.store.write((tx) => setPlan(tx, 1, plan));
      await settle();
    }
    expect(await eventNames()).toEqual(["segment.active.entry"]);
  });

  test("waits for those in between, which the change itself does not concern", async () => {
    const paying = await make({ name: "Pro", condition: pro });
    const between = await make({ name: "Not pro", condition: filtered(outside(paying.id)) });
    await fresh.store.write((tx) => setPlan(tx, 1, "free"));
    await settle();
    const condition = filtered(
      { field: "plan", value: "pro" },
      { field: `segment.${between.id}`, operator: "memberOf" },
    );
    await make({ name: "Nobody", condition, trackMembership: true });
    await fresh.store.write((tx) => setPlan(tx, 1, "pro"));
    await settle();
    expect(await eventNames()).toEqual([]);
    await countsAreTrue();
  });

  test("and is swept before a change was dispatched, goes by what those are now", async () => {
    const paying = await make({ name: "Pro", condition: pro, trackMembership: true });
    const others = await make({ name: "Others", condition: filtered(outside(paying.id)), trackMembership: true });
    await fresh.store.write((tx) => setPlan(tx, 1, "pro"));
    await sweepNow(fresh.store, clock, await again(others.id));
    await settle();
    expect(await eventNames()).toEqual(["segment.pro.entry"]);
  });
});

test("computing a large one while the loop is at it changes everything once", async () => {
  await crowd();
  const { id } = await make({ condition: pro });
  await sweepStep(fresh.store, clock);
  const moved = await sweepNow(fresh.store, clock, await again(id));
  expect(moved).toEqual({ added: MANY / 2 - 1_000, removed: 0 });
  await settle();
  await countsAreTrue();
});

test("of two who see that a segment is due one sweeps it, and the other rests", async () => {
  await crowd();
  await make({ condition: pro });
  const rests = await Promise.all([sweepStep(fresh.store, clock), sweepStep(fresh.store, clock)]);
  expect(rests.filter((restMs) => restMs === 0)).toHaveLength(1);
});

test("a sweep whose process dies goes on where it was when the lease has ended", async () => {
  await crowd();
  const { id } = await make({ condition: pro });
  await sweepStep(fresh.store, clock);
  const claimed = "2026-03-01T09:01:00.000Z";
  await fresh.store.write((tx) => tx.run`update segments set sweep_due_at = ${claimed}`);
  expect(await sweepStep(fresh.store, clock)).toBe(60_000);
  clock.advance(60_000);
  await settle();
  expect((await again(id)).memberCount).toBe(MANY / 2);
});

test("contacts that go leave every segment, and the counts stay true", async () => {
  await crowd();
  await make({ condition: pro });
  await make({ name: "All", condition: { groups: [{ filters: [{ field: "plan", operator: "exists" }] }] } });
  await settle();
  await fresh.store.write(async (tx) => {
    await leaveAll(tx, [1, 2, 3]);
    await tx.run`delete from contacts where seq <= 3`;
  });
  await countsAreTrue();
  const rows = await fresh.store.read(
    (reader) => reader.all<{ n: number }>`select member_count as n from segments order by seq`,
  );
  expect(rows.map(({ n }) => n)).toEqual([MANY / 2 - 2, MANY - 3]);
});

test("the members of a deleted segment go behind it, a part at a time", async () => {
  await crowd();
  const { id } = await make({ condition: pro });
  const other = await make({ name: "Free", condition: free });
  await settle();
  await fresh.store.write((tx) => removeSegment(tx, workspace, id));
  expect(await memberRows()).toBe(MANY);
  expect(await sweepStep(fresh.store, clock)).toBe(0);
  expect(await memberRows()).toBe(MANY - 1_000);
  await fresh.store.write(async (tx) => {
    await leaveAll(tx, [MANY - 1, MANY]);
    await tx.run`delete from contacts where seq >= ${MANY - 1}`;
  });
  await settle();
  expect([await memberRows(), (await again(other.id)).memberCount]).toEqual([MANY / 2 - 1, MANY / 2 - 1]);
  expect(await eventNames()).toEqual([]);
});

async function memberRows(): Promise<number> {
  const row = await fresh.store.read((reader) => reader.get<{ n: number }>`select count(*) as n from segment_members`);
  return row?.n ?? 0;
}

// SQLite has one writer at a time.
const onPostgres = test.skipIf(ENGINE !== "postgres");

onPostgres("an event that comes while another process moves its contact is not missed", async () => {
  const prospects = { groups: [{ filters: [{ field: "event.bought", operator: "notTriggered" }] }] };
  const { id } = await make({ name: "Prospects", condition: prospects, trackMembership: true });
  const { contact } = await fresh.store.write((tx) => setPlan(tx, 1, "free"));
  const [entered, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const entering = fresh.store.write(async (tx) => {
    const happened = { workspace, subjects: [contactSubject("new")], contact: contact.seq, event: null, notice: null };
    await segmentMembership.consume(tx, [happened]);
    entered.resolve();
    await goOn.promise;
  });
  await entered.promise;
  await fresh.store.write((tx) => emit(tx, { workspace, name: "bought", contact: contact.seq, data: {} }));
  const leaving = untilQuiet(() => dispatcherOf(fresh.store).step());
  await Promise.race([leaving, somebodyWaits(fresh.store)]);
  goOn.resolve();
  await Promise.all([entering, leaving]);
  expect(await eventNames()).toEqual(["segment.prospects.entry", "bought", "segment.prospects.exit"]);
  expect((await again(id)).memberCount).toBe(0);
});

onPostgres(
  "a batch of several workspaces goes through them in one order, so that no two batches wait for each other",
  async () => {
    const two = (await fresh.store.write((tx) => createWorkspace(tx, secretsOf(Buffer.alloc(32)), "two"))).seq;
    const input = {
      email: "ada@example.com",
      subscribed: undefined,
      voice: KEY_VOICE,
      subscribedIfNew: true,
      data: { plan: "pro" },
    };
    const happened: Occurrence[] = [];
    for (const owner of [two, workspace]) {
      await fresh.store.write((tx) => createSegment(tx, owner, { name: "Pro", condition: pro }));
      const { contact } = await fresh.store.write((tx) => upsertContact(tx, owner, input));
      happened.push({
        workspace: owner,
        subjects: [contactSubject("new")],
        contact: contact.seq,
        event: null,
        notice: null,
      });
    }
    const [held, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = fresh.store.write(async (tx) => {
      await tx.all`select seq from segments where workspace = ${workspace} for update`;
      held.resolve();
      await goOn.promise;
    });
    await held.promise;
    const consuming = fresh.store.write((tx) => segmentMembership.consume(tx, happened));
    await somebodyWaits(fresh.store);
    const free = await fresh.store.write(
      (tx) => tx.all<{ workspace: number }>`select workspace from segments for update skip locked`,
    );
    goOn.resolve();
    await Promise.all([holding, consuming]);
    expect(free).toEqual([{ workspace: two }]);
  },
);

onPostgres("of two segments that are made to name each other at the same time, one is refused", async () => {
  const [one, other] = [await make({ condition: pro }), await make({ name: "Free", condition: free })];
  const naming = ({ id }: { id: string }) => ({
    condition: { groups: [{ filters: [{ field: `segment.${id}`, operator: "memberOf" }] }] },
  });
  const [changed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = fresh.store.write(async (tx) => {
    await changeSegment(tx, { workspace, person: null }, one.id, naming(other));
    changed.resolve();
    await goOn.promise;
  });
  await changed.promise;
  const second = fresh.store.write((tx) => changeSegment(tx, { workspace, person: null }, other.id, naming(one)));
  const refused = second.then(
    () => null,
    (error: unknown) => error,
  );
  await somebodyWaits(fresh.store);
  goOn.resolve();
  await first;
  expect(await refused).toBeInstanceOf(Error);
  expect((await again(other.id)).condition).toEqual(other.condition);
});

test("whatever happens in whatever order, members are those who match, and events are as many as the changes", async () => {
  const { id } = await make({ condition: pro, trackMembership: true });
  const stores = [fresh.store, ...(ENGINE === "postgres" ? [await another(), await another()] : [])];
  try {
    const dispatchers = stores.map(dispatcherOf);
    let isWriting = true;
    const dispatching = dispatchers.map(async (dispatcher) => {
      while (isWriting) await dispatcher.step().then(() => new Promise((resolve) => setImmediate(resolve)));
    });
    await Promise.all(stores.flatMap((store, at) => [1, 2, 3].map((n) => toggle(store, new Chance(at * 3 + n)))));
    isWriting = false;
    await Promise.all(dispatching);
    await Promise.all(dispatchers.map((dispatcher) => untilQuiet(() => dispatcher.step())));
  } finally {
    await Promise.all(stores.slice(1).map((store) => store.close()));
  }
  await countsAreTrue();
  expect(await sweepNow(fresh.store, clock, await again(id))).toEqual({ added: 0, removed: 0 });
  const rows = await fresh.store.read(
    (reader) => reader.all<{ contact: number; name: string }>`select contact, name from events order by seq`,
  );
  for (const [, those] of Map.groupBy(rows, ({ contact }) => contact)) {
    those.forEach(({ name }, at) => expect(name).toBe(`segment.pro.${at % 2 === 0 ? "entry" : "exit"}`));
  }
  expect(rows.length).toBeGreaterThan(5);
});

/** A process of its own on the same database. */
async function another(): Promise<Store> {
  return (await openPostgres({ url: fresh.url as string, connections: 4 }, { clock, log: log(), opening: "use" }))
    .store;
}

const CHANGES = 60;

async function toggle(store: Store, chance: Chance): Promise<void> {
  for (let n = 0; n < CHANGES; n++) {
    await store.write((tx) => setPlan(tx, Math.floor(chance.next() * 8), chance.of(["pro", "free"])));
  }
}

test("however many segments one workspace has to sweep, another's is swept next", async () => {
  await crowd();
  for (let n = 0; n < 5; n++) await make({ name: `Pro ${n}`, condition: pro });
  const { seq: other } = await fresh.store.write((tx) => createWorkspace(tx, secretsOf(Buffer.alloc(32)), "other"));
  clock.advance(1_000);
  const theirs = await fresh.store.write(async (tx) => {
    for (let n = 0; n < MANY / 4; n++)
      await upsertContact(tx, other, {
        email: `o${n}@example.com`,
        subscribed: undefined,
        voice: KEY_VOICE,
        subscribedIfNew: true,
        data: { plan: "pro" },
      });
    return createSegment(tx, other, { name: "Theirs", condition: pro });
  });
  for (let turn = 0; turn < 2; turn++) await sweepStep(fresh.store, clock);
  expect((await fresh.store.read((reader) => findSegment(reader, other, theirs.id))).memberCount).toBe(MANY / 4);
});
