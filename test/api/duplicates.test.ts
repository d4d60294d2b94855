// /contacts/duplicates: contacts that may be the same person are found, merged or dismissed.
import { expect, test } from "bun:test";
import { canonical } from "../../src/audience/contacts/sign-up/mailbox.ts";
import { keysOf } from "../../src/desk/bulk/duplicates/keys.ts";
import { Hashes } from "../../src/desk/bulk/duplicates/hashes.ts";
import { imported } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

async function found(posthorn: Posthorn): Promise<Json> {
  expect((await ask(posthorn, "POST /contacts/duplicates")).status).toBe(202);
  await posthorn.settle();
  return (await ask(posthorn, "GET /contacts/duplicates")).body;
}

const inShort = ({ data }: Json) =>
  data.map(({ reason, contacts }: Json) => [reason, ...contacts.map(({ email }: Json) => email)]);

const FILE = [
  "email,name",
  "ada.lovelace@gmail.com,Ada",
  "adalovelace+shop@googlemail.com,",
  "ben@company.example,Ben Müller",
  "b.mueller@company.example,ben muller",
  "cy@gmail.com,Cy Young",
  "cyyoung@gmail.com,Cy Young",
  "dee@company.example,Dee",
  "dee2@company.example,Dee",
].join("\n");

test("those whose addresses reach one mailbox, and those with one name at one company, are offered (slow)", async () => {
  await using posthorn = await workspace();
  expect((await ask(posthorn, "GET /contacts/duplicates")).body).toMatchObject({ data: [], total: 0, status: "NONE" });
  await imported(posthorn, FILE);
  const page = await found(posthorn);
  expect(page).toMatchObject({ total: 2, status: "COMPLETED", isComplete: true, foundAt: expect.any(String) });
  expect(inShort(page)).toEqual([
    ["address", "ada.lovelace@gmail.com", "adalovelace+shop@googlemail.com"],
    ["name", "b.mueller@company.example", "ben@company.example"],
  ]);
});

test("who was merged or erased is not offered any more, and who was dismissed never again", async () => {
  await using posthorn = await workspace();
  await imported(posthorn, FILE);
  const [address, name] = (await found(posthorn)).data.map(({ contacts }: Json) => contacts.map(({ id }: Json) => id));
  await ask(posthorn, "POST /contacts/merge", { body: { into: address[0], from: [address[1]] } });
  expect((await ask(posthorn, "GET /contacts/duplicates")).body.total).toBe(1);
  expect((await ask(posthorn, "POST /contacts/duplicates/dismiss", { body: { contactIds: name } })).status).toBe(204);
  expect((await ask(posthorn, "GET /contacts/duplicates")).body.total).toBe(0);
  expect((await found(posthorn)).total).toBe(0);
  for (const id of name) await ask(posthorn, `DELETE /contacts/${id}`);
  await posthorn.settle();
  expect(await countOf(posthorn, "dismissed_duplicates")).toBe(0);
});

test("a search that is under way is the one that a second request gets", async () => {
  await using posthorn = await workspace();
  const [one, other] = [
    await ask(posthorn, "POST /contacts/duplicates"),
    await ask(posthorn, "POST /contacts/duplicates"),
  ];
  expect(other.body.jobId).toBe(one.body.jobId);
  expect((await ask(posthorn, "GET /contacts/duplicates")).body.status).toBe("RUNNING");
});

test("many contacts are read in windows, and each group is found whole (slow)", async () => {
  await using posthorn = await workspace();
  const rows = Array.from({ length: 2_500 }, (_, n) => `u.ser${n}@gmail.com`);
  await imported(posthorn, ["email", ...rows, "user7+a@gmail.com", "user2400@gmail.com"].join("\n"));
  expect(inShort(await found(posthorn))).toHaveLength(2);
});

test.each([
  ["A.d.a+news@GMAIL.com", "ada@gmail.com"],
  ["ada@googlemail.com", "ada@gmail.com"],
  ["a.da+x@outlook.com", "a.da@outlook.com"],
  ["ada+x@me.com", "ada@icloud.com"],
  ["a.da@pm.me", "ada@proton.me"],
  ["a.da+x@company.example", "a.da+x@company.example"],
])("%s reaches the mailbox of %s", (address, expected) => {
  expect(canonical(address)).toBe(expected);
});

test("a name counts where not everybody may have an address, and only a whole one", () => {
  const names = (email: string, data: object) =>
    keysOf({ email, data: data as Record<string, unknown> }).flatMap(({ reason, text }) =>
      reason === "name" ? text : [],
    );
  expect(names("a@company.example", { firstName: "Ada", lastName: "Lovelace" })).toEqual([
    "ada lovelace@company.example",
  ]);
  expect(names("a@company.example", { name: "Ada" })).toEqual([]);
  expect(names("a@gmx.de", { name: "Ada Lovelace" })).toEqual([]);
});

test("of millions of hashes those that come twice are known", async () => {
  const hashes = new Hashes();
  for (let n = 0; n < 100_000; n++) hashes.add(n * 7919);
  for (const n of [3, 99_999]) hashes.add(n * 7919);
  expect([...(await hashes.repeated(10))].toSorted((one, other) => one - other)).toEqual([3 * 7919, 99_999 * 7919]);
  expect((await hashes.repeated(1)).size).toBe(1);
});
