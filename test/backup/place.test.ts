// A folder of backups that others may write to as well: nothing is written through what they have put there.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeWhole } from "../../src/backup/place.ts";

const folder = mkdtempSync(join(tmpdir(), "posthorn-place-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a backup is not written through a link where its unfinished file could be guessed to be", async () => {
  const [shared, precious] = [join(folder, "a.tar.age"), join(folder, "precious")];
  writeFileSync(precious, "precious");
  symlinkSync(precious, join(folder, ".a.tar.age.unfinished"));
  await writeWhole([Buffer.from("backup")], shared);
  expect([readFileSync(precious, "utf8"), readFileSync(shared, "utf8")]).toEqual(["precious", "backup"]);
});

test("what fails half-way leaves nothing behind", async () => {
  const before = readdirSync(folder);
  const breaking = (async function* () {
    yield Buffer.from("half");
    throw new Error("no more");
  })();
  await expect(writeWhole(breaking, join(folder, "b.tar.age"))).rejects.toThrow("no more");
  expect(readdirSync(folder)).toEqual(before);
});
