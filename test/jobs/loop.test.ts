// A loop rests when nothing is due, and a kick ends the rest, but not the one after a fault.
import { expect, test } from "bun:test";
import { gathered, loop } from "../../src/jobs/loop.ts";
import { createLog } from "../../src/log.ts";
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
