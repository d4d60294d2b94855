// What a release does with each executable for the machine it is made on: start it once.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { tryExecutable } from "../../build/trial.ts";

const MAIN = join(import.meta.dir, "../../src/whole/main.ts");

test("A program that starts, answers and ends in order is taken", async () => {
  expect(await tryExecutable([process.execPath, MAIN])).toBe(true);
});

test("One that ends at once is refused with what it said", async () => {
  const broken = tryExecutable(["sh", "-c", "echo it is broken >&2; exit 1"]);
  expect(await broken.catch(String)).toContain("It does not start: it is broken");
});

test("One that says where it listens, and is not there, is refused", async () => {
  const mute = tryExecutable(["sh", "-c", "echo HTTP API on http://127.0.0.1:1"]);
  expect(await mute.catch(String)).toContain("Unable to connect");
});

test("One for musl is left out where its libraries are missing, and only then", async () => {
  const text = "Error loading shared library libstdc++.so.6: No such file or directory";
  const missing = ["sh", "-c", `echo '${text}' >&2; exit 127`];
  expect(await tryExecutable(missing, true)).toBe(false);
  expect(await tryExecutable(["/no/such/program"], true)).toBe(false);
  expect(await tryExecutable(missing).catch(String)).toContain(text);
  expect(await tryExecutable(["sh", "-c", "exit 1"], true).catch(String)).toContain("It does not start");
});
