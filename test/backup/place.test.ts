// A folder of backups that others may write to as well: nothing is written through what they have put there.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { DEFAULTS } from "../../src/base/config.ts";
import { openPlace, writeWhole } from "../../src/operator/backup/place.ts";

const folder = mkdtempSync(join(tmpdir(), "posthorn-place-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a backup is not written through a link where its unfinished file could be guessed to be", async () => {
  const [shared, precious] = [join(folder, "a.tar.age"), join(folder, "precious")];
  writeFileSync(precious, "precious");
  symlinkSync(precious, join(folder, ".a.tar.age.unfinished"));
  await writeWhole([Buffer.from("backup")], shared);
  expect([readFileSync(precious, "utf8"), readFileSync(shared, "utf8")]).toEqual(["precious", "backup"]);
});

test("a backup removes what a killed one has left, but not what is being written, nor what others have put there", async () => {
  const place = openPlace(DEFAULTS.backup, join(folder, "kept"));
  await place.put("first", Readable.from([Buffer.from("backup")]));
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
  const put = (name: string, when: Date) => {
    writeFileSync(join(folder, "kept", name), "half");
    utimesSync(join(folder, "kept", name), when, when);
  };
  put(".old.0123456789abcdef.unfinished", hours(2));
  put(".now.0123456789abcdef.unfinished", hours(0.5));
  put(".notes.unfinished", hours(2));
  await place.put("second", Readable.from([Buffer.from("backup")]));
  expect(readdirSync(join(folder, "kept")).sort()).toEqual([
    ".notes.unfinished",
    ".now.0123456789abcdef.unfinished",
    "first",
    "second",
  ]);
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
