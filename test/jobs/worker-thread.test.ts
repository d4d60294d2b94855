// A thread beside this one: asked, answered, lost, started anew.
import { expect, test } from "bun:test";
import { WorkerThread, type ThreadOptions } from "../../src/base/jobs/worker-thread.ts";
import type { Order } from "../support/obedient-worker.ts";

function threads(options: Partial<ThreadOptions<Order>> = {}) {
  const ended: Promise<void>[] = [];
  /** Called when a thread has broken down, before anybody else hears of it. */
  const whenBroken: (() => void)[] = [];
  const start = () => {
    const worker = new Worker(new URL("../support/obedient-worker.ts", import.meta.url).href);
    worker.addEventListener("error", () => whenBroken.forEach((one) => one()));
    ended.push(new Promise((resolve) => worker.addEventListener("close", () => resolve())));
    return worker;
  };
  const thread = new WorkerThread<Order>({ name: "The thread", start, opening: { kind: "open" }, ...options });
  return { thread, ended, whenBroken };
}

test.each([true, false])("everybody gets the answer to what was asked (gathered: %p)", async (isGathered) => {
  const { thread, ended } = threads({ isGathered });
  const asked = ["one", "two", "three"].map((what) => thread.ask<string[]>({ kind: "note", what }));
  expect(await Promise.all(asked)).toEqual([["one"], ["one", "two"], ["one", "two", "three"]]);
  expect(ended).toHaveLength(1);
  await thread.close();
  await Promise.all(ended);
});

test("what is answered at once does not wait for what was asked with it", async () => {
  const { thread } = threads({ isGathered: true });
  const until = new Int32Array(new SharedArrayBuffer(4));
  const noted = thread.ask<string[]>({ kind: "note", what: "one" });
  const stood = thread.ask<string>({ kind: "stand still", until });
  expect(await noted).toEqual(["one"]);
  Atomics.store(until, 0, 1);
  Atomics.notify(until, 0);
  expect(await stood).not.toBe("timed-out");
  await thread.close();
});

test("a fault reaches who asked, with its code, and the thread goes on", async () => {
  const { thread } = threads();
  const failed = thread.ask({ kind: "fail", message: "database is locked", code: "SQLITE_BUSY" });
  await expect(failed).rejects.toMatchObject({ message: "database is locked", code: "SQLITE_BUSY" });
  expect(await thread.ask<string[]>({ kind: "note", what: "next" })).toEqual(["next"]);
  await thread.close();
});

test("a thread that could not be opened ends, and says why to all who asked it", async () => {
  const { thread, ended } = threads({ opening: { kind: "open", fault: "no such file" } });
  const asked = [thread.ask({ kind: "note", what: "one" }), thread.ask({ kind: "note", what: "two" })];
  for (const one of await Promise.allSettled(asked))
    expect(one).toMatchObject({ status: "rejected", reason: { message: "The thread stopped: no such file" } });
  await Promise.all(ended);
  await expect(thread.ask({ kind: "note", what: "three" })).rejects.toThrow("no such file");
  expect(ended).toHaveLength(2);
  await Promise.all(ended);
});

test.each(["break", "leave"] as const)(
  "who waits for a thread that stops (%s) is told, and the next starts another",
  async (kind) => {
    const { thread, ended } = threads();
    const lost = [thread.ask({ kind: "never" }), thread.ask({ kind })];
    for (const one of await Promise.allSettled(lost)) expect(one.status).toBe("rejected");
    expect(await thread.ask<string[]>({ kind: "note", what: "next" })).toEqual(["next"]);
    expect(ended).toHaveLength(2);
    await thread.close();
  },
);

test("what was told to have failed with its thread is not done by the next one", async () => {
  const { thread, whenBroken } = threads({ isGathered: true });
  let late: Promise<unknown> = Promise.resolve();
  whenBroken.push(() => (late = Promise.allSettled([thread.ask({ kind: "note", what: "late" })])));
  await expect(thread.ask({ kind: "break" })).rejects.toThrow("The thread stopped");
  const next = thread.ask({ kind: "note", what: "next" });
  expect(await late).toMatchObject([{ status: "rejected" }]);
  expect(await next).toEqual(["next"]);
  await thread.close();
});

test("a thread that takes too long is given up", async () => {
  const { thread, ended } = threads({ longestMs: 100 });
  await expect(thread.ask({ kind: "never" })).rejects.toThrow("The thread stopped: it took too long");
  await Promise.all(ended);
});

test("a thread may ask the one that started it", async () => {
  const { thread } = threads({ answer: async (question: string) => `${question}? Yes.` });
  expect(await thread.ask<string>({ kind: "ask", what: "Is it there" })).toBe("Is it there? Yes.");
  await thread.close();
});
