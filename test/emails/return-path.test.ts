// Our own return-path addresses, made and read: src/mail/emails/return-path.ts.
import { describe, expect, test } from "bun:test";
import { readReturnPath, returnPathFor } from "../../src/mail/emails/return-path.ts";
import { newId } from "../../src/base/ids.ts";
import { secretsOf } from "../../src/base/secrets.ts";

const secrets = secretsOf(Buffer.alloc(32, 7));
const options = { secrets, returnPathDomain: "bounces.example.com" };
const ID = "0199a3b4-0000-7000-8000-00000000abcd";
const ADDRESS = returnPathFor(secrets, ID, "bounces.example.com");

test("an address names its mail, whatever its case", () => {
  expect(ADDRESS.split("@")[0]).toHaveLength(36);
  for (const form of [ADDRESS, ADDRESS.toUpperCase(), ADDRESS.replace("b+", "B+").replace("example", "Example")])
    expect(readReturnPath(options, form)).toBe(ID);
});

test("every address that is made is read back", () => {
  const ids = Array.from({ length: 500 }, (_, n) => newId(1_772_355_600_000 + n));
  expect(ids.map((id) => readReturnPath(options, returnPathFor(secrets, id, "bounces.example.com")))).toEqual(ids);
});

describe("an address that was not made here names nothing", () => {
  const changed = Array.from({ length: 34 }, (_, place) => {
    const at = place + 2;
    return `${ADDRESS.slice(0, at)}${ADDRESS[at] === "a" ? "b" : "a"}${ADDRESS.slice(at + 1)}`;
  });
  test.each([
    ...changed,
    returnPathFor(secretsOf(Buffer.alloc(32, 8)), ID, "bounces.example.com"),
    returnPathFor(secrets, ID, "elsewhere.example.com"),
    ADDRESS.replace("@", "@mail."),
    ADDRESS.replace("b+", "c+"),
    ADDRESS.replace("b+", "b+a"),
    ADDRESS.replace("b+", "b"),
    `${ADDRESS}.`,
    `x${ADDRESS}`,
    `${ADDRESS}@bounces.example.com`,
    "",
    "b+@bounces.example.com",
    "postmaster@bounces.example.com",
  ])("%s", (address) => {
    expect(readReturnPath(options, address)).toBeNull();
  });

  test("where no return-path domain is configured", () => {
    expect(readReturnPath({ secrets, returnPathDomain: null }, ADDRESS)).toBeNull();
  });
});
