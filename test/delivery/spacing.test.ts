import { expect, test } from "bun:test";
import { systemClock } from "../../src/base/clock.ts";
import { HandOverSpacing } from "../../src/sending/carrier/transport/spacing.ts";

async function departuresMs(gapMs: number, mails: number): Promise<number[]> {
  const spacing = new HandOverSpacing(gapMs, systemClock);
  const departed: number[] = [];
  await Promise.all(
    Array.from({ length: mails }, () => spacing.turn().then(() => departed.push(systemClock.monotonicMs()))),
  );
  return departed;
}

test("mails that arrive together leave one after the other, the time of a slot apart", async () => {
  // From before the first one leaves: a busy machine may be late in seeing it go.
  const askedMs = performance.now();
  const departed = await departuresMs(20, 5);
  expect((departed.at(-1) as number) - askedMs).toBeGreaterThanOrEqual(4 * 20 - 2);
});

test("without a rate nothing waits, not even a turn of the event loop", async () => {
  const mails = departuresMs(0, 100).then(() => "mails");
  const loop = new Promise((resolve) => setImmediate(resolve, "event loop"));
  expect(await Promise.race([mails, loop])).toBe("mails");
});
