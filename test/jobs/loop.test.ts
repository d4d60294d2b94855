// A loop rests when nothing is due, and a kick ends the rest, but not the one after a fault.
import { afterEach, expect, jest, test } from "bun:test";
import { gathered, loop } from "../../src/base/jobs/loop.ts";
import { createLog } from "../../src/base/log.ts";
import { storeUnavailable } from "../../src/store/store.ts";
import { NOTHING_DUE } from "../../src/base/jobs/due.ts";
import { TestClock } from "../support/clock.ts";

async function batches(step: () => Promise<number>, kicks: number): Promise<{ begun: number; logLines: string[] }> {
  const logLines: string[] = [];
  const clock = new TestClock();
  const log = createLog({ level: "error", format: "text", clock, write: (line) => logLines.push(line) });
  let begun = 0;
  const one = loop(
    "working",
    () => {
      begun++;
      return step();
    },
    log,
  );
  one.start();
  for (let kick = 0; kick < kicks; kick++) {
    await new Promise((resolve) => setImmediate(resolve));
    one.kick();
  }
  await one.stop();
  return { begun, logLines };
}

test("each kick ends a rest", async () => {
  expect((await batches(async () => 60_000, 5)).begun).toBe(5);
});

test("after a fault it rests whatever kicks it, and says so once", async () => {
  const { begun, logLines } = await batches(() => Promise.reject(new Error("broken")), 5);
  expect([begun, logLines.length]).toEqual([1, 1]);
});

afterEach(() => void jest.useRealTimers());

test("with a pause it leaves room after each batch, also where there is more to do", async () => {
  jest.useFakeTimers();
  const log = createLog({ level: "error", format: "text", clock: new TestClock(), write: () => {} });
  let begun = 0;
  const one = loop("working", async () => (begun++, 0), log, { pauseMs: 250 });
  one.start();
  const after = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    return begun;
  };
  expect([await after(0), await after(249), await after(1), await after(250)]).toEqual([1, 1, 2, 3]);
  await one.stop();
});

test.each([
  ["as often as it has to", NOTHING_DUE, { lookEveryMs: 5_000 }, [1, 1, 2]],
  ["once a minute otherwise", NOTHING_DUE, {}, [1, 1, 1]],
  ["when work is due", 3_000, { lookEveryMs: 5_000 }, [1, 2, 2]],
])("it looks for work that nobody told it of: %s", async (_, restMs, rests, begunAt) => {
  jest.useFakeTimers();
  const log = createLog({ level: "error", format: "text", clock: new TestClock(), write: () => {} });
  let begun = 0;
  const one = loop("working", async () => (begun++, restMs), log, rests);
  one.start();
  const after = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    return begun;
  };
  expect([await after(0), await after(3_000), await after(2_000)]).toEqual([...begunAt]);
  await one.stop();
});

/** What a loop says whose batches end like these, one after the other. */
async function said(...outcomes: readonly (Error | null)[]): Promise<string[]> {
  jest.useFakeTimers();
  const logLines: string[] = [];
  const log = createLog({
    level: "info",
    format: "text",
    clock: new TestClock(),
    write: (line) => logLines.push(line),
  });
  const left = [...outcomes];
  const one = loop(
    "working",
    async () => {
      const outcome = left.shift() ?? null;
      if (outcome) throw outcome;
      return 60_000;
    },
    log,
  );
  one.start();
  while (left.length > 0) {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    jest.advanceTimersByTime(60_000);
  }
  await one.stop();
  return logLines.map((line) => line.replace(/^\S+ /, ""));
}

const AWAY = storeUnavailable(new Error("database or disk is full"));

test("while the store is away it says so once, without a stack, and once that it is back", async () => {
  const lost =
    'error working: the store is not available; trying again error="The store cannot be written to or read from at the moment. (database or disk is full)"';
  const back = (failedTries: number) => `info  working: the store is available again failedTries=${failedTries}`;
  expect(await said(AWAY, AWAY, AWAY, null, null, AWAY, null)).toEqual([lost, back(3), lost, back(1)]);
});

test("another fault while the store is away is said as any other, and does not end the count", async () => {
  const lines = await said(AWAY, new Error("broken"), AWAY, null);
  expect(lines).toEqual([
    expect.stringContaining("working: the store is not available; trying again"),
    expect.stringContaining("working: a batch failed; trying again later"),
    "info  working: the store is available again failedTries=3",
  ]);
});

test("many kicks in a moment are one", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let kicks = 0;
  const kick = () => {
    kicks++;
    resolve();
  };
  const soon = gathered({ kick }, 1);
  for (let n = 0; n < 5; n++) soon.kick();
  expect(kicks).toBe(0);
  const alive = setInterval(() => {}, 1);
  await promise;
  clearInterval(alive);
  expect(kicks).toBe(1);
});
