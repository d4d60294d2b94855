// Workspaces in turn, the urgent first, the late not at all.
import { expect, test } from "bun:test";
import { FairQueue } from "../../src/jobs/fair-queue.ts";
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

test("works run one at a time in the order of asking, but what is urgent comes next", async () => {
  const queue = new FairQueue(new TestClock(), 1, "long reads");
  const ran: string[] = [];
  const works = ["a", "b", "c", "urgent"].map((name) => held(name, ran)) as [Held, Held, Held, Held];
  const [a, b, c] = works.slice(0, 3).map(({ work }) => queue.run(1, work));
  const urgent = queue.runFirst(works[3].work);
  await soon();
  expect(ran).toEqual(["a"]);
  works[0].end();
  await soon();
  expect(ran).toEqual(["a", "urgent"]);
  works[3].end();
  works[1].end();
  works[2].end();
  expect(await Promise.all([a, b, c, urgent])).toEqual(["a", "b", "c", "urgent"]);
  expect(ran).toEqual(["a", "urgent", "b", "c"]);
});

test("a work that fails lets the next one go on", async () => {
  const queue = new FairQueue(new TestClock(), 1, "long reads");
  const ran: string[] = [];
  const [bad, good] = [held("bad", ran), held("good", ran)];
  const outcomes = Promise.allSettled([queue.run(1, bad.work), queue.run(1, good.work)]);
  bad.end(new Error("no"));
  good.end();
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

test("a read that has waited for more than five seconds is not begun, an urgent work always is", async () => {
  const clock = new TestClock();
  const queue = new FairQueue(clock, 1, "long reads");
  const ran: string[] = [];
  const [first, late, urgent] = [held("first", ran), held("late", ran), held("urgent", ran)];
  const outcomes = Promise.allSettled([queue.run(1, first.work), queue.run(1, late.work), queue.runFirst(urgent.work)]);
  await soon();
  clock.advance(5_001);
  first.end();
  urgent.end();
  const [, refused] = await outcomes;
  expect(ran).toEqual(["first", "urgent"]);
  expect(refused).toMatchObject({ reason: { code: "STORE_UNAVAILABLE", details: { retryAfterSeconds: 2 } } });
});

test("workspaces take turns, however many works one of them has waiting", async () => {
  const queue = new FairQueue(new TestClock(), 2, "long reads");
  const ran: string[] = [];
  const asked = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"].map((name) => ({ name, ...held(name, ran) }));
  const done = asked.map(({ name, work }) => queue.run(name.charCodeAt(0), work));
  await soon();
  expect(ran).toEqual(["a1", "a2"]);
  for (const { end } of asked) end();
  await Promise.all(done);
  expect(ran).toEqual(["a1", "a2", "a3", "b1", "c1", "a4", "b2"]);
});
