// When the reading thread is stopped: by what it has done, and not by the clock.
import { expect, test } from "bun:test";
import { ThreadWatch } from "../../src/mail/inbound/thread-watch.ts";
import { processorMsOf, threadNumber } from "../../src/base/jobs/thread-time.ts";

const limits = { maxBusyMs: 15_000, maxTurns: 60 };

test("a thread that gets no turn on a busy machine is never stopped", () => {
  const watch = new ThreadWatch(limits);
  watch.begin();
  expect(watch.look(100)).toBe("ping");
  // An hour by the clock, in which the processor worked for it for a second.
  for (let seconds = 1; seconds <= 3_600; seconds++) expect(watch.look(100 + seconds / 4)).toBe(null);
  expect(watch.answered()).toBe(false);
});

test("a thread that works for too long without a pause is stopped", () => {
  const watch = new ThreadWatch(limits);
  watch.begin();
  expect(watch.look(40_000)).toBe("ping");
  expect(watch.look(55_000)).toBe(null);
  expect(watch.look(55_001)).toBe("stop");
});

test("pauses begin the time anew", () => {
  const watch = new ThreadWatch(limits);
  watch.begin();
  watch.look(0);
  watch.look(14_000);
  watch.answered();
  expect([watch.look(15_000), watch.look(29_000)]).toEqual(["ping", null]);
});

test("what does not end although the thread was free many times stops it", () => {
  const watch = new ThreadWatch({ maxBusyMs: 15_000, maxTurns: 3 });
  const short = watch.begin();
  watch.begin();
  const turns = Array.from({ length: 4 }, () => (watch.look(0), watch.answered()));
  watch.end(short);
  expect(turns).toEqual([false, false, false, true]);
});

test("another thread begins anew", () => {
  const watch = new ThreadWatch(limits);
  watch.begin();
  watch.look(50_000);
  watch.startAgain();
  expect(watch.look(10)).toBe("ping");
});

test("the processor's time of a thread grows with its work, and that of no thread is the process's", () => {
  const before = processorMsOf(threadNumber());
  const work = () => "x".repeat(1_000).split("").sort().join("");
  while (processorMsOf(threadNumber()) < before + 50) work();
  expect(processorMsOf(null)).toBeGreaterThanOrEqual(processorMsOf(threadNumber()) - 20);
  expect(processorMsOf(999_999_999)).toBeGreaterThan(0);
});
