// What is remembered of name servers' answers, for how long, and how much of it.
import { expect, test } from "bun:test";
import { CachingResolver } from "../src/base/dns/cache.ts";
import { DnsError, type DnsResult, type Resolver } from "../src/base/dns.ts";
import { TestClock } from "./support/clock.ts";

/** Answers when it is told to, if `waits`, else at once. */
class Counting implements Resolver {
  readonly asked: string[] = [];
  readonly waiting: (() => void)[] = [];
  fails = false;

  constructor(
    private readonly ttlSeconds: number,
    private readonly records: readonly string[] = ["192.0.2.1"],
    private readonly waits = false,
  ) {}

  async find(name: string, type: string): Promise<DnsResult> {
    this.asked.push(`${type} ${name}`);
    if (this.waits) await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (this.fails) throw new DnsError("Nobody answers.");
    return { nameExists: true, records: this.records, ttlSeconds: this.ttlSeconds };
  }

  async txt(name: string): Promise<readonly string[]> {
    return (await this.find(name, "TXT")).records;
  }
}

test("an answer is kept to the end of its time, whatever the calendar does", async () => {
  const [asked, clock] = [new Counting(60), new TestClock()];
  const resolver = new CachingResolver(asked, clock);
  const first = await resolver.find("a.example", "A");
  clock.advance(59_999);
  clock.jump(86_400_000);
  expect(await resolver.find("A.Example", "A")).toEqual(first);
  expect(asked.asked).toEqual(["A a.example"]);
  clock.advance(1);
  await resolver.find("a.example", "A");
  expect(asked.asked.length).toBe(2);
});

test("each type of record is another question", async () => {
  const asked = new Counting(60);
  const resolver = new CachingResolver(asked, new TestClock());
  await resolver.find("a.example", "A");
  await resolver.find("a.example", "MX");
  expect(asked.asked).toEqual(["A a.example", "MX a.example"]);
});

test.each([
  ["what is there, a day", ["192.0.2.1"], 86_400],
  ["that nothing is there, three hours", [], 10_800],
] as const)("nothing is kept for weeks: %s", async (_, records, seconds) => {
  const [asked, clock] = [new Counting(5_000_000, records), new TestClock()];
  const resolver = new CachingResolver(asked, clock);
  await resolver.find("a.example", "A");
  clock.advance(seconds * 1000 - 1);
  await resolver.find("a.example", "A");
  expect(asked.asked.length).toBe(1);
  clock.advance(1);
  await resolver.find("a.example", "A");
  expect(asked.asked.length).toBe(2);
});

test("what may not be kept, failures and TXT records are asked for each time", async () => {
  const fleeting = new Counting(0);
  const failing = new Counting(60);
  failing.fails = true;
  const texts = new Counting(60);
  const [one, other, third] = [fleeting, failing, texts].map((asked) => new CachingResolver(asked, new TestClock()));
  for (let time = 0; time < 2; time++) {
    await one!.find("a.example", "A");
    await expect(other!.find("a.example", "A")).rejects.toThrow(DnsError);
    await third!.txt("a.example");
  }
  expect([fleeting, failing, texts].map(({ asked }) => asked.length)).toEqual([2, 2, 2]);
});

test("who asks the same at the same time gets one answer, or one failure", async () => {
  const asked = new Counting(0, ["192.0.2.1"], true);
  const resolver = new CachingResolver(asked, new TestClock());
  const both = Promise.all([resolver.find("a.example", "A"), resolver.find("a.example", "A")]);
  await settled();
  asked.waiting.forEach((go) => go());
  const [first, second] = await both;
  expect([asked.asked.length, first === second]).toEqual([1, true]);
  asked.fails = true;
  const failures = Promise.allSettled([resolver.find("a.example", "A"), resolver.find("a.example", "A")]);
  await settled();
  asked.waiting.forEach((go) => go());
  expect((await failures).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(asked.asked.length).toBe(2);
});

test("the longest unused answer makes room", async () => {
  const asked = new Counting(60);
  const resolver = new CachingResolver(asked, new TestClock(), {
    answers: 2,
    chars: 100,
    questions: { total: 10, perAsker: 10 },
  });
  for (const name of ["a.example", "b.example", "a.example", "c.example", "a.example"]) await resolver.find(name, "A");
  expect(asked.asked).toEqual(["A a.example", "A b.example", "A c.example"]);
  await resolver.find("b.example", "A");
  expect(asked.asked.length).toBe(4);
});

test("long answers make room for each other, and one that is too long for all is not kept", async () => {
  const limits = { answers: 10, chars: 1_000, questions: { total: 10, perAsker: 10 } };
  const asked = new Counting(60, ["x".repeat(400)]);
  const resolver = new CachingResolver(asked, new TestClock(), limits);
  for (const name of ["a.example", "b.example", "c.example", "c.example"]) await resolver.find(name, "TXT");
  expect(asked.asked.length).toBe(3);
  await resolver.find("a.example", "TXT");
  expect(asked.asked.length).toBe(4);
  const endless = new Counting(60, ["x".repeat(600), "y".repeat(600)]);
  const other = new CachingResolver(endless, new TestClock(), limits);
  for (let time = 0; time < 2; time++) await other.find("a.example", "TXT");
  expect(endless.asked.length).toBe(2);
});

/** What has begun by itself goes on as far as it can. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("no more questions than may be on their way are sent; the others wait for a place", async () => {
  const asked = new Counting(60, ["192.0.2.1"], true);
  const resolver = new CachingResolver(asked, new TestClock(), {
    answers: 10,
    chars: 1_000,
    questions: { total: 1, perAsker: 1 },
  });
  const names = ["a.example", "b.example", "a.example", "b.example"];
  const all = Promise.all(names.map((name) => resolver.find(name, "A")));
  for (const name of ["a.example", "b.example"]) {
    await settled();
    expect(asked.asked.at(-1)).toBe(`A ${name}`);
    asked.waiting.at(-1)!();
  }
  expect((await all).map(({ records }) => records)).toEqual(names.map(() => ["192.0.2.1"]));
  expect(asked.asked.length).toBe(2);
});

test("who has all the places that are one asker's leaves the rest to others, and the next to who has fewest", async () => {
  const asked = new Counting(60, ["192.0.2.1"], true);
  const resolver = new CachingResolver(asked, new TestClock(), {
    answers: 10,
    chars: 1_000,
    questions: { total: 4, perAsker: 3 },
  });
  const find = (who: string, count: number) => resolver.find(`${who}${count}.example`, "A", { who });
  const all = [1, 2, 3, 4, 5].map((count) => find("a", count));
  all.push(...[1, 2].map((count) => find("b", count)));
  await settled();
  expect(asked.asked).toEqual(["A a1.example", "A a2.example", "A a3.example", "A b1.example"]);
  for (let done = 0; done < all.length; done++) {
    asked.waiting[done]!();
    await settled();
  }
  await Promise.all(all);
  expect(asked.asked.slice(4)).toEqual(["A b2.example", "A a4.example", "A a5.example"]);
});

test("nobody waits for a place or an answer longer than it is worth; the answer is kept for the next", async () => {
  const [asked, clock] = [new Counting(60, ["192.0.2.1"], true), new TestClock()];
  const resolver = new CachingResolver(asked, clock, {
    answers: 10,
    chars: 1_000,
    questions: { total: 1, perAsker: 1 },
  });
  const asker = { who: 1, until: clock.timeout(3_000) };
  const both = Promise.allSettled(["a.example", "b.example"].map((name) => resolver.find(name, "A", asker)));
  await settled();
  clock.advance(3_000);
  const wereAsked = (await both).map((one) => (one as PromiseRejectedResult).reason.wasAsked);
  expect(wereAsked).toEqual([true, false]);
  await expect(resolver.find("c.example", "A", asker)).rejects.toThrow(DnsError);
  asked.waiting[0]!();
  await settled();
  expect((await resolver.find("a.example", "A", asker)).records).toEqual(["192.0.2.1"]);
  expect(asked.asked).toEqual(["A a.example"]);
});
