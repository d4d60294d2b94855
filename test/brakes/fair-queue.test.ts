// What runs at once, and what comes next.
import { describe, expect, test } from "bun:test";
import { FairQueue, RequestQueue } from "../../src/base/brakes/fair-queue.ts";
import { TestClock } from "../support/clock.ts";

type Held = { readonly work: () => Promise<string>; readonly end: (how?: Error) => void };

/** Work that goes on until it is told to end. */
function held(name: string, ran: string[]): Held {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = () => {
    ran.push(name);
    return promise;
  };
  return { work, end: (how) => (how ? reject(how) : resolve(name)) };
}

const soon = () => new Promise(setImmediate);

test("two run at once, the others one by one as they came, whatever fails", async () => {
  const queue = new FairQueue(2);
  const ran: string[] = [];
  const works = ["a", "b", "c", "d", "e"].map((name) => held(name, ran));
  const done = works.map(({ work }) => queue.run(work).catch(() => "failed"));
  await soon();
  expect([ran.join(""), queue.waiting]).toEqual(["ab", 3]);
  works[1]?.end(new Error("broken"));
  expect(await done[1]).toBe("failed");
  expect([ran.join(""), queue.waiting]).toEqual(["abc", 2]);
  for (const { end } of works) end();
  expect(await Promise.all(done)).toEqual(["a", "failed", "c", "d", "e"]);
  expect(await queue.run(async () => "late")).toBe("late");
});

test("the owner with the least running is next, however much another has waiting", async () => {
  const queue = new FairQueue(2);
  const ran: string[] = [];
  const works = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"].map((name) => ({ name, ...held(name, ran) }));
  const done = works.map(({ name, work }) => queue.run(work, { owner: name.charAt(0) }));
  await soon();
  expect(ran).toEqual(["a1", "a2"]);
  for (const { end } of works) end();
  await Promise.all(done);
  expect(ran).toEqual(["a1", "a2", "b1", "a3", "c1", "b2", "a4"]);
});

test("nobody has more than an owner may, and others pass", async () => {
  const queue = new FairQueue(4, 2);
  const ran: string[] = [];
  for (const name of ["a1", "a2", "a3", "b1"]) void queue.run(held(name, ran).work, { owner: name.charAt(0) });
  await soon();
  expect([ran, queue.waiting]).toEqual([["a1", "a2", "b1"], 1]);
});

test("sizes share the capacity: nothing passes what waits for room, and what is larger than all runs alone", async () => {
  const queue = new FairQueue(10);
  const ran: string[] = [];
  const works = [6, 4, 5, 30, 1].map((size) => ({ size, ...held(String(size), ran) }));
  const done = works.map(({ size, work }) => queue.run(work, { size }));
  const after = async (at: number) => {
    works[at]?.end();
    await done[at];
    return ran.join(" ");
  };
  await soon();
  expect([ran.join(" "), queue.waiting]).toEqual(["6 4", 3]);
  expect(await after(0)).toBe("6 4 5");
  expect(await after(1)).toBe("6 4 5");
  expect(await after(2)).toBe("6 4 5 30");
  expect(await after(3)).toBe("6 4 5 30 1");
});

test("work that is given up before its turn does not run, and those behind it do", async () => {
  const queue = new FairQueue(2);
  const ran: string[] = [];
  const leaving = new AbortController();
  const [first, large, small] = [held("first", ran), held("large", ran), held("small", ran)];
  void queue.run(first.work);
  const gone = queue.run(large.work, { size: 2, until: leaving.signal });
  void queue.run(small.work);
  await soon();
  expect(ran).toEqual(["first"]);
  leaving.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  expect(ran).toEqual(["first", "small"]);
  await expect(queue.run(large.work, { until: leaving.signal })).rejects.toThrow("gone");
});

test("it is idle when nothing runs, and nothing begins before that", async () => {
  const queue = new FairQueue(2);
  const ran: string[] = [];
  const [running, waiting] = [held("running", ran), held("waiting", ran)];
  void queue.run(running.work);
  const idle = queue.idle().then(() => ran.push("idle"));
  void queue.run(waiting.work);
  await soon();
  expect(ran).toEqual(["running"]);
  running.end();
  await idle;
  await soon();
  expect(ran.toSorted()).toEqual(["idle", "running", "waiting"]);
});

describe("a queue for requests", () => {
  test("runs what is urgent next", async () => {
    const queue = new RequestQueue(new TestClock(), 1, "long reads");
    const ran: string[] = [];
    const works = ["a", "b", "c", "urgent"].map((name) => held(name, ran)) as [Held, Held, Held, Held];
    const waiting = works.slice(0, 3).map(({ work }) => queue.run(1, work));
    const urgent = queue.runFirst(works[3].work);
    await soon();
    expect(ran).toEqual(["a"]);
    for (const { end } of works) end();
    expect(await Promise.all([...waiting, urgent])).toEqual(["a", "b", "c", "urgent"]);
    expect(ran).toEqual(["a", "urgent", "b", "c"]);
  });

  test("does not begin what has waited for more than five seconds, unless it is urgent", async () => {
    const clock = new TestClock();
    const queue = new RequestQueue(clock, 1, "long reads");
    const ran: string[] = [];
    const [first, late, urgent] = [held("first", ran), held("late", ran), held("urgent", ran)];
    const done = Promise.allSettled([queue.run(1, first.work), queue.run(1, late.work), queue.runFirst(urgent.work)]);
    await soon();
    clock.advance(5_001);
    first.end();
    urgent.end();
    const [, refused] = await done;
    expect(ran).toEqual(["first", "urgent"]);
    expect(refused).toMatchObject({ reason: { code: "STORE_UNAVAILABLE", details: { retryAfterSeconds: 2 } } });
  });
});
