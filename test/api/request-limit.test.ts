// How often a workspace may ask: exactly so many requests in any sliding minute.
import { describe, expect, test } from "bun:test";
import { SlidingLimit } from "../../src/base/brakes/sliding-limit.ts";
import { startPosthorn, type Posthorn, type Reply } from "../support/posthorn.ts";
import { ask, countOf, type Key } from "../support/scenario.ts";
import { seeded } from "../support/seeded.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const five = { config: { limits: { requestsPerMinute: 5 } } };

const limits = ({ status, headers }: Reply) => [
  status,
  ...["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"].map((name) => headers.get(name)),
];

async function statuses(posthorn: Posthorn, count: number, key: Key = "secret"): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await ask(posthorn, "GET /templates", { key })).status);
  return found;
}

test("every answer says how much is left, and the one too many when to come again", async () => {
  await using posthorn = await workspace(five);
  const answers: unknown[] = [];
  for (let index = 0; index < 6; index++) {
    answers.push(limits(await ask(posthorn, "GET /templates")));
    posthorn.clock.advance(10_000);
  }
  expect(answers).toEqual([
    [200, "5", "4", "60", null],
    [200, "5", "3", "50", null],
    [200, "5", "2", "40", null],
    [200, "5", "1", "30", null],
    [200, "5", "0", "20", null],
    [429, "5", "0", "10", "10"],
  ]);
});

test("the refusal has its code, and does nothing", async () => {
  await using posthorn = await workspace(five);
  await statuses(posthorn, 5);
  const { body } = await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } });
  expect(body.error.code).toBe("RATE_LIMIT_EXCEEDED");
  expect(await countOf(posthorn, "contacts")).toBe(0);
});

test("who comes again after the time in Retry-After is let in", async () => {
  await using posthorn = await workspace(five);
  await statuses(posthorn, 5);
  posthorn.clock.advance(12_345);
  const refused = await ask(posthorn, "GET /templates");
  posthorn.clock.advance(Number(refused.headers.get("retry-after")) * 1000);
  expect((await ask(posthorn, "GET /templates")).status).toBe(200);
});

test("the minute slides: what was used comes back one by one, a minute after it was used", async () => {
  await using posthorn = await workspace(five);
  expect(await statuses(posthorn, 3)).toEqual([200, 200, 200]);
  posthorn.clock.advance(30_000);
  expect(await statuses(posthorn, 3)).toEqual([200, 200, 429]);
  posthorn.clock.advance(29_999);
  expect(await statuses(posthorn, 1)).toEqual([429]);
  posthorn.clock.advance(1);
  expect(await statuses(posthorn, 4)).toEqual([200, 200, 200, 429]);
});

test("refused requests do not count", async () => {
  await using posthorn = await workspace(five);
  await statuses(posthorn, 50);
  posthorn.clock.advance(60_000);
  expect(await statuses(posthorn, 5)).toEqual([200, 200, 200, 200, 200]);
});

test("somebody who sets the clock changes nothing", async () => {
  await using posthorn = await startPosthorn(five);
  await statuses(posthorn, 5);
  posthorn.clock.jump(3_600_000);
  expect(await statuses(posthorn, 1)).toEqual([429]);
  posthorn.clock.jump(-7_200_000);
  posthorn.clock.advance(60_000);
  expect(await statuses(posthorn, 1)).toEqual([200]);
});

test("by default a thousand of twelve hundred pass, sixty-four at a time (slow)", async () => {
  await using posthorn = await workspace();
  const found = new Map<number, number>();
  const asker = async (count: number) => {
    for (const status of await statuses(posthorn, count)) found.set(status, (found.get(status) ?? 0) + 1);
  };
  await Promise.all(Array.from({ length: 64 }, (_, index) => asker(index < 48 ? 19 : 18)));
  expect(Object.fromEntries(found)).toEqual({ 200: 1000, 429: 200 });
});

describe("a limit is the workspace's", () => {
  test("whichever of its keys is used, at whichever route", async () => {
    await using posthorn = await workspace(five);
    const { secret } = await addKeys(posthorn);
    expect(await statuses(posthorn, 2)).toEqual([200, 200]);
    expect(await statuses(posthorn, 2, { bearer: secret })).toEqual([200, 200]);
    const tracked = { email: "ada@example.com", event: "x" };
    expect((await ask(posthorn, "POST /v1/track", { key: "public", body: tracked })).status).toBe(200);
    expect((await ask(posthorn, "POST /v1/track", { key: "public", body: tracked })).status).toBe(429);
  });

  test("and nobody else's", async () => {
    await using posthorn = await workspace(five);
    const other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
    expect(await statuses(posthorn, 6)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await statuses(posthorn, 6, { bearer: other.secret })).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test("so that a request without a valid key uses up nothing", async () => {
    await using posthorn = await workspace(five);
    expect(await statuses(posthorn, 10, "none")).toEqual(Array(10).fill(401));
    expect(await statuses(posthorn, 10, "public")).toEqual(Array(10).fill(401));
    expect(await statuses(posthorn, 5)).toEqual([200, 200, 200, 200, 200]);
  });
});

test("faulty requests count, or one could try for ever", async () => {
  await using posthorn = await workspace(five);
  for (const body of ["{", "{}", '{"email":5}']) await ask(posthorn, "POST /contacts", { body });
  await ask(posthorn, "GET /templates?page=0");
  await ask(posthorn, "GET /templates/x");
  expect((await ask(posthorn, "GET /templates")).status).toBe(429);
});

test("a limit of 0 is none, and says nothing in headers (slow)", async () => {
  await using posthorn = await workspace({ config: { limits: { requestsPerMinute: 0 } } });
  expect(limits(await ask(posthorn, "GET /templates"))).toEqual([200, null, null, null, null]);
  expect(await statuses(posthorn, 50)).toEqual(Array(50).fill(200));
});

test.each([1, 2, 7, 1000])(
  "with a limit of %p no sliding minute of random traffic has more, and none is refused without need (slow)",
  (limit) => {
    const requestLimit = new SlidingLimit(limit, 60_000);
    const random = seeded(limit);
    const passed: number[] = [];
    let nowMs = 5;
    for (let request = 0; request < 20_000; request++) {
      nowMs += random.below(3) === 0 ? random.below(Math.ceil(180_000 / limit)) : 0;
      const inMinute = passed.filter((atMs) => nowMs - atMs < 60_000).length;
      const { allowed, remaining } = requestLimit.take(1, nowMs);
      expect([allowed, remaining]).toEqual([inMinute < limit, Math.max(0, limit - inMinute - 1)]);
      if (allowed) passed.push(nowMs);
      if (passed.length > limit) passed.shift();
    }
  },
);
