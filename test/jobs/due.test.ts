// How long loops rest.
import { expect, test } from "bun:test";
import { NOTHING_DUE, restUntil } from "../../src/base/jobs/due.ts";

const at = (ms: number) => new Date(ms).toISOString();

test.each([
  ["what is due", at(1_000), 0],
  ["what has been due for long", at(0), 0],
  ["what is due soon", at(1_300), 300],
  ["what is due much later", at(1_000_000), 999_000],
  ["nothing", null, NOTHING_DUE],
])("until %s", (_, dueAt, restMs) => {
  expect(restUntil(dueAt, 1_000)).toBe(restMs);
});
