// Signatures of releases: made and checked as minisign does, and refused whatever was changed.
import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { signatureOf, signingKeyOf } from "../../build/signing.ts";
import { checkedSignature, releaseKeyOf } from "../../src/base/service/minisign.ts";
import { freshDirectory } from "../support/database.ts";
import { newReleaseKey } from "../support/release-key.ts";

const key = signingKeyOf(newReleaseKey());
const SUMS = Buffer.from("abc  posthorn-0.2.0-linux-x64.tar.gz\n");
const SIGNATURE = signatureOf(SUMS, "posthorn 0.2.0", key);
const known = releaseKeyOf(key.publicText);

test("what is signed is read with the comment that was signed along with it", () => {
  expect(checkedSignature(SUMS, SIGNATURE, known)).toBe("posthorn 0.2.0");
});

test("the same file has the same signature", () => {
  expect(signatureOf(SUMS, "posthorn 0.2.0", key)).toBe(SIGNATURE);
});

describe("refused is", () => {
  const lines = SIGNATURE.split("\n");
  const withLine = (at: number, text: string) => lines.map((line, index) => (index === at ? text : line)).join("\n");
  const other = signingKeyOf(newReleaseKey());
  const damaged = Buffer.from(lines[1] ?? "", "base64");
  damaged[20] = (damaged[20] ?? 0) ^ 1;
  test.each([
    ["another file", Buffer.from("other"), SIGNATURE, "changed after it was signed"],
    ["another comment", SUMS, withLine(2, "trusted comment: posthorn 9.9.9"), "changed after it was signed"],
    ["a changed bit", SUMS, withLine(1, damaged.toString("base64")), "changed after it was signed"],
    ["another key", SUMS, signatureOf(SUMS, "posthorn 0.2.0", other), "by another key"],
    ["no signature", SUMS, "not found", "damaged"],
    ["half of one", SUMS, lines.slice(0, 2).join("\n"), "damaged"],
  ])("%s", (_, file, signature, said) => {
    expect(() => checkedSignature(file, signature, known)).toThrow(said);
  });
});

test("a secret key with a password, and what is no key, is refused in words", () => {
  const locked = Buffer.from(newReleaseKey().trim().split("\n").at(-1) ?? "", "base64");
  locked.write("Sc", 2);
  expect(() => signingKeyOf(locked.toString("base64"))).toThrow("has a password");
  expect(() => signingKeyOf("hello")).toThrow("no secret key");
  expect(() => releaseKeyOf("hello")).toThrow("no public key");
});

const work = freshDirectory();
afterAll(work.remove);

test.skipIf(!Bun.which("minisign"))("minisign accepts our signature", () => {
  const place = (name: string) => join(work.path, name);
  writeFileSync(place("sums"), SUMS);
  writeFileSync(place("sums.minisig"), SIGNATURE);
  const checked = Bun.spawnSync(["minisign", "-V", "-P", key.publicText, "-m", place("sums")]);
  expect([checked.exitCode, checked.stdout.toString()]).toEqual([0, expect.stringContaining("posthorn 0.2.0")]);
});
