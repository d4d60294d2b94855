// Long reads: those of our own loops take turns with the requests of the workspace.
import { expect, test } from "bun:test";
import { TestClock } from "../support/clock.ts";
import { freshStore } from "../support/store.ts";

const REQUESTS = 60;

test("a loop's read comes between those that a workspace asks for in heaps, and is not the last", async () => {
  const { store, remove } = await freshStore(new TestClock());
  await using _ = { [Symbol.asyncDispose]: remove };
  const done: string[] = [];
  const read = (who: string, byLoop?: true) =>
    store.read(async (reader) => void (await reader.all`select 1 as one`, done.push(who)), {
      longFor: 1,
      ...(byLoop ? { byLoop } : {}),
    });
  const all = Array.from({ length: REQUESTS }, () => read("request"));
  await Promise.all([...all, read("loop", true)]);
  expect(done.indexOf("loop")).toBeLessThan(REQUESTS / 2);
});
