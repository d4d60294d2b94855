// What the process writes about itself.
import { expect, test } from "bun:test";
import { createLog } from "../src/log.ts";
import { storeUnavailable } from "../src/store/store.ts";
import { TestClock } from "./support/clock.ts";

test.each(["text", "json"] as const)("an error is written on one line with what caused it, as %s", (format) => {
  const lines: string[] = [];
  const log = createLog({ level: "info", format, clock: new TestClock(), write: (line) => lines.push(line) });
  log.error("sending: a batch failed and will be tried again", {
    error: storeUnavailable(new Error("database or disk is full")),
  });
  expect(lines).toEqual([expect.stringMatching(/^.*error.*cannot be written to.*database or disk is full.*$/)]);
});
