// Hostile input in short: whatever comes to a route, a port or a reader of mails and files, is answered as documented.
import { expect, test } from "bun:test";
import { fuzz, type Failed } from "./fuzz/run.ts";

const CASES = 1_000;
const SEED = 17;

test(`${CASES} hostile cases: no crash, no fault of the server, no answer that is not in the document`, async () => {
  const failed: Failed[] = [];
  expect(await fuzz(CASES, SEED, (one) => failed.push(one))).toBe(CASES);
  expect(failed).toEqual([]);
}, 300_000);
