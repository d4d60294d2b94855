// What the process writes about itself.
import { expect, test } from "bun:test";
import { warningsInto } from "../src/whole/cli/serve/serve.ts";
import { createLog } from "../src/base/log.ts";
import { storeUnavailable } from "../src/store/store.ts";
import { TestClock } from "./support/clock.ts";

test.each(["text", "json"] as const)("an error is written on one line with what caused it, as %s", (format) => {
  const lines: string[] = [];
  const log = createLog({ level: "info", format, clock: new TestClock(), write: (line) => lines.push(line) });
  log.error("sending: a batch failed; trying again later", {
    error: storeUnavailable(new Error("database or disk is full")),
  });
  expect(lines).toEqual([expect.stringMatching(/^.*error.*cannot be written to.*database or disk is full.*$/)]);
});

test("what Bun warns of by itself is a line of the log, the same words once a minute", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", format: "json", clock: new TestClock(), write: (line) => lines.push(line) });
  const { warn } = console;
  console.warn = warningsInto(log);
  for (let times = 0; times < 3; times++) console.warn("LISTEN failed, retrying:", "Failed to connect");
  console.warn = warn;
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: "warn", message: "LISTEN failed, retrying: Failed to connect" }),
  ]);
});
