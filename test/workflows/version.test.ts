// Versions that are kept in memory: read once, and no more of them than a few megabytes.
import { expect, test } from "bun:test";
import type { Reader } from "../../src/store/store.ts";
import { Versions } from "../../src/programs/workflows/definition/version.ts";

test.each([
  ["small ones are read once", 100, 2],
  ["of large ones those that were asked for last are kept", 6_000_000, 3],
])("%s", async (_, chars, reads) => {
  let read = 0;
  const get = async () => ({ seq: ++read, definition: JSON.stringify({ name: "x".repeat(chars) }) });
  const reader = { get } as unknown as Reader;
  const versions = new Versions();
  for (const seq of [1, 2, 2, 1]) await versions.bySeq(reader, seq);
  expect(read).toBe(reads);
});
