// How a server ends whose store has failed: all of it, so that the next one can start.
import { afterAll, expect, test } from "bun:test";
import { ENGINE, freshDirectory } from "./support/database.ts";
import { startPosthorn } from "./support/posthorn.ts";

const directory = freshDirectory();
afterAll(directory.remove);

test.skipIf(ENGINE !== "sqlite")(
  "a part that cannot be ended in good order does not keep the others from their end (slow)",
  async () => {
    const first = await startPosthorn({ dataDir: directory.path });
    expect((await first.call("GET /emails")).status).toBe(200);
    first.store.write = () => Promise.reject(new Error("The disk is full."));
    await first.server[Symbol.asyncDispose]();
    expect(first.logLines.join("\n")).toContain("a part of the server could not end in good order");
    await using second = await startPosthorn({ dataDir: directory.path });
    expect((await second.call("GET /health")).status).toBe(200);
  },
);

test("a server hooks into nothing that outlives it", async () => {
  const hooks = () => process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`);
  const before = hooks();
  await using _posthorn = await startPosthorn();
  expect(hooks()).toEqual(before);
});
