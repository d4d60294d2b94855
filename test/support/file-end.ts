// Preloaded in all tests (bunfig.toml): what the tests of a file share ends with the last file of the process.
import { afterAll } from "bun:test";

const ends: (() => Promise<void>)[] = [];

export function atTheEnd(end: () => Promise<void>): void {
  ends.push(end);
}

afterAll(async () => {
  for (const end of ends) await end();
});
