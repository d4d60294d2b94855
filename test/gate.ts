// What `npm test` does once formatting and types are right: all tests on SQLite, and beside them the executable is built and
// started. What the executable said comes last, as a whole; either of the two that fails makes the whole fail.
import { openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SAID = join(tmpdir(), `posthorn-executable-${process.pid}`);

const run = (script: string, output: number | "inherit") =>
  Bun.spawn([process.execPath, "run", script], { stdio: ["ignore", output, output] });

const executable = run("test:executable", openSync(SAID, "a", 0o600));
const tests = run("test:files", "inherit");
const codes = await Promise.all([tests.exited, executable.exited]);
console.log(`The executable\n${readFileSync(SAID, "utf8")}`);
rmSync(SAID);
process.exit(codes.every((code) => code === 0) ? 0 : 1);
