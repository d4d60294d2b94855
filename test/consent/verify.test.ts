// `posthorn consent verify`: whoever changes the ledger behind Posthorn's back is found out.
import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { packed, unpacked } from "../../src/operator/backup/archive.ts";
import { PARTS } from "../../src/operator/backup/restore.ts";
import { hashOf, originOf } from "../../src/audience/consent/chain.ts";
import { digestOf } from "../../src/audience/consent/digest.ts";
import type { Tx } from "../../src/store/store.ts";
import { ENGINE } from "../support/database.ts";
import { cliBeside } from "../support/cli.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const DAY_MS = 86_400_000;
const NO_SEAL = { passphrase: null, recipient: null };

/** Rows 1 to 4 of one day, 5 to 8 of the next, 9 and 10 of a third. */
async function withLedger(): Promise<Posthorn> {
  const posthorn = await workspace();
  for (const [day, people] of [4, 4, 2].entries()) {
    if (day > 0) posthorn.clock.advance(DAY_MS);
    for (let n = 0; n < people; n++)
      await ask(posthorn, "POST /contacts", { body: { email: `p${day}${n}@example.com` } });
    await posthorn.settle();
  }
  return posthorn;
}

async function verdict(posthorn: Posthorn): Promise<Json> {
  const { code, out } = await cliBeside(posthorn, ["consent", "verify", "--json"]);
  const { workspaces } = JSON.parse(out);
  expect(code).toBe(workspaces.every(({ whole }: Json) => whole) ? 0 : 1);
  return workspaces[0];
}

/** All rows from `first` on are hashed anew, as if they had always been so. */
async function rewrite(tx: Tx, first: number): Promise<void> {
  const { id } = (await tx.get<{ id: string }>`select id from workspaces where seq = 1`) as { id: string };
  const before = await tx.get<{
    hash: Uint8Array;
  }>`select hash from consents where workspace = 1 and number = ${first - 1}`;
  let hash: Uint8Array = before?.hash ?? originOf(id);
  const rows = await tx.all<{ seq: number; number: number; content: string }>`
    select seq, number, content from consents where workspace = 1 and number >= ${first} order by number`;
  for (const { seq, number, content } of rows) {
    const salt = randomBytes(16);
    const digest = digestOf(salt, content);
    hash = hashOf(hash, number, digest);
    await tx.run`update consents set salt = ${salt}, digest = ${digest}, hash = ${hash} where seq = ${seq}`;
  }
  await tx.run`update consent_tips set hash = ${hash}, number = ${rows.at(-1)?.number ?? first - 1} where workspace = 1`;
}

test("a ledger that nobody touched is whole, also while people are erased (slow)", async () => {
  await using posthorn = await withLedger();
  await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const { out, code } = await cliBeside(posthorn, ["consent", "verify"]);
  const key = /^The heads are signed by the Ed25519 key ([0-9a-f]{64})\.$/m.exec(out)?.[1];
  expect([code, key]).toEqual([0, expect.any(String)]);
  expect(out).toContain("ok     default: 10 rows, whole; 3 signed heads, the last of 2026-03-03T09:00:00.000Z\n");
  expect(out).toContain("ok     other: the ledger is empty\n");
  for (const email of ["p00@example.com", "p21@example.com"]) {
    const { id } = (await ask(posthorn, `GET /contacts?search=${email}`)).body.data[0];
    await ask(posthorn, `DELETE /contacts/${id}`);
  }
  // Where a loop chains, their last rows are not chained yet.
  const rows = ENGINE === "sqlite" ? 12 : 10;
  expect(await verdict(posthorn)).toMatchObject({ whole: true, rows, erased: 2, faults: [] });
  await posthorn.settle();
  expect((await cliBeside(posthorn, ["consent", "verify"])).out).toContain(
    "12 rows, whole, 2 of them erased with their people;",
  );
});

test("a ledger is whole after changes of addresses, a merge and its undo (slow)", async () => {
  await using posthorn = await withLedger();
  const idOf = async (email: string) => (await ask(posthorn, `GET /contacts/by-email/${email}`)).body.id;
  const [first, second] = [await idOf("p00@example.com"), await idOf("p01@example.com")];
  for (const email of ["p00@example.net", "p00@example.org"]) {
    await ask(posthorn, `PATCH /contacts/${first}`, { body: { email } });
    await ask(posthorn, `PATCH /contacts/${first}`, { body: { subscribed: email.endsWith("org") } });
  }
  const merged = (await ask(posthorn, "POST /contacts/merge", { body: { into: second, from: [first] } })).body;
  await posthorn.settle();
  expect((await verdict(posthorn)).faults).toEqual([]);
  await ask(posthorn, `POST /contacts/merges/${merged.id}/undo`);
  await posthorn.settle();
  expect((await verdict(posthorn)).faults).toEqual([]);
});

type Tampering = readonly [what: string, tamper: (tx: Tx) => Promise<unknown>, faults: string[]];

const TAMPERINGS: readonly Tampering[] = [
  [
    "gives a row to another contact",
    (tx) => tx.run`
      update consents set contact = (select contact from consents where number = 7) where number = 2`,
    ["Row 2 stands with a contact who never had its address."],
  ],
  [
    "gives a row to nobody",
    (tx) => tx.run`update consents set contact = null where number = 2`,
    ["Row 2 stands with nobody."],
  ],
  [
    "empties the ledger",
    async (tx) => {
      await tx.run`delete from consents`;
      await tx.run`delete from consent_tips`;
      await tx.run`delete from consent_heads`;
    },
    ["It says nothing of somebody who gets marketing email: rows were removed, with their signed heads."],
  ],
  [
    "changes a row",
    (tx) => tx.run`update consents set content = replace(content, 'p01@', 'p99@') where number = 2`,
    ["Row 2 was changed."],
  ],
  [
    "removes the first row",
    (tx) => tx.run`delete from consents where number = 1`,
    ["Row 1 was removed from the beginning."],
  ],
  [
    "removes a row in the middle",
    (tx) => tx.run`delete from consents where number in (5, 6)`,
    ["Rows 5 to 6 were removed."],
  ],
  [
    "removes the last rows",
    (tx) => tx.run`delete from consents where number >= 9`,
    ["Rows 9 to 10 were removed from the end.", "Row 10, which was signed on 2026-03-03, is missing."],
  ],
  [
    "removes the last rows and sets the count back",
    async (tx) => {
      await tx.run`delete from consents where number >= 9`;
      await rewrite(tx, 9);
    },
    ["The head of 2026-03-03 (row 8) is not signed by the key of this installation."],
  ],
  [
    "removes the end of the ledger with its head",
    async (tx) => {
      await tx.run`delete from consents where number >= 7`;
      await tx.run`delete from consent_tips`;
    },
    ["Its end is not signed: the newest signed head is missing.", "Row 8, which was signed on 2026-03-02, is missing."],
  ],
  [
    "adds a row behind the end",
    async (tx) => {
      const content = '{"what":"subscribed"}';
      const [salt, digest] = [randomBytes(16), digestOf(content)];
      const { hash } = (await tx.get<{ hash: Uint8Array }>`select hash from consents where number = 10`) as {
        hash: Uint8Array;
      };
      const next = hashOf(hash, 11, digest);
      await tx.run`
        insert into consents (workspace, content, number, salt, digest, hash)
        values (1, ${content}, 11, ${salt}, ${digest}, ${next})`;
    },
    ["Row 11 was added after the signed end.", "Row 11 was changed."],
  ],
  [
    "puts a row in between and numbers the rest anew",
    async (tx) => {
      for (let number = 10; number >= 3; number--)
        await tx.run`update consents set number = ${number + 1} where number = ${number}`;
      await tx.run`insert into consents (workspace, content, number) values (1, '{"what":"subscribed"}', 3)`;
      await rewrite(tx, 3);
    },
    [
      "The head of 2026-03-03 (row 11) is not signed by the key of this installation.",
      "Row 8 is not the row that was signed on 2026-03-02: it or rows before it were rewritten.",
      "Row 4 is not the row that was signed on 2026-03-01: it or rows before it were rewritten.",
    ],
  ],
  [
    "swaps two rows",
    async (tx) => {
      await tx.run`update consents set number = 99 where number = 3`;
      await tx.run`update consents set number = 3 where number = 2`;
      await tx.run`update consents set number = 2 where number = 99`;
    },
    ["Row 4 does not follow row 3.", "Row 3 does not follow row 2.", "Row 2 does not follow row 1."],
  ],
  [
    "rewrites everything from a row on, with the end",
    async (tx) => {
      await tx.run`update consents set content = replace(content, 'p10@', 'p99@') where number = 5`;
      await rewrite(tx, 5);
    },
    [
      "The head of 2026-03-03 (row 10) is not signed by the key of this installation.",
      "Row 8 is not the row that was signed on 2026-03-02: it or rows before it were rewritten.",
    ],
  ],
  [
    "takes what a row said",
    (tx) => tx.run`update consents set content = null, salt = null, contact = null where number = 6`,
    ["The content of row 6 is missing, and no erasure accounts for it."],
  ],
];

describe("somebody who", () => {
  test.each(TAMPERINGS)("%s is found out", async (_, tamper, faults) => {
    await using posthorn = await withLedger();
    expect(await verdict(posthorn)).toMatchObject({ whole: true });
    await posthorn.store.write((tx) => tamper(tx));
    expect((await verdict(posthorn)).faults).toEqual(faults);
  });
});

test("says so in words, and exits with 1", async () => {
  await using posthorn = await withLedger();
  await posthorn.store.write((tx) => tx.run`delete from consents where number = 7`);
  const { code, out } = await cliBeside(posthorn, ["consent", "verify"]);
  expect(code).toBe(1);
  expect(out).toStartWith("WRONG  default: 9 rows\n       → Row 7 was removed.\n");
});

test("a backup is verified by itself, and the ledger here has to go on from it (slow)", async () => {
  await using posthorn = await withLedger();
  const file = join(posthorn.dataDir, "copy.backup");
  expect(await cliBeside(posthorn, ["backup", file])).toMatchObject({ code: 0, err: "" });
  const parts = join(posthorn.dataDir, "parts");
  mkdirSync(parts);
  await unpacked(createReadStream(file), { passphrase: null, identity: null }, { folder: parts, wanted: PARTS });
  const manifest = JSON.parse(readFileSync(join(parts, "manifest.json"), "utf8"));
  const { consent } = manifest;
  expect(consent).toEqual([
    {
      workspace: (await verdict(posthorn)).workspace.id,
      ...{ number: 10, at: "2026-03-03T09:00:00.000Z" },
      ...{ hash: (await verdict(posthorn)).head.hash, signature: expect.stringMatching(/^[0-9a-f]{128}$/) },
    },
  ]);
  await ask(posthorn, "POST /contacts", { body: { email: "later@example.com" } });
  await posthorn.settle();
  const inBackup = () => cliBeside(posthorn, ["consent", "verify", "--from", file]);
  expect(await inBackup()).toMatchObject({ code: 0, out: expect.stringContaining("default: 10 rows, whole") });
  await posthorn.store.write(async (tx) => {
    await tx.run`delete from consents where number >= 5`;
    await tx.run`delete from consent_tips`;
    await tx.run`delete from consent_heads where number > 4`;
    await tx.run`
      insert into consent_tips (workspace, number, hash, at, signature)
      select workspace, number, hash, at, signature from consent_heads where number = 4`;
  });
  // The chain is as it was on the first day: only the people of whom it says nothing give that away.
  expect(await verdict(posthorn)).toMatchObject({
    rows: 4,
    faults: [expect.stringContaining("says nothing of somebody")],
  });
  const { code, out } = await inBackup();
  expect([code, out]).toEqual([1, expect.stringContaining("→ Row 10 of 2026-03-03 is missing in this installation.")]);
  const other = { ...manifest, consent: [{ ...consent[0], number: 12, hash: "00".repeat(32) }] };
  const forged = join(posthorn.dataDir, "forged.backup");
  const others = ["secret.key", "posthorn.db"].map((name) => ({ name, path: join(parts, name) }));
  const archive = await packed([{ name: "manifest.json", text: JSON.stringify(other) }, ...others], NO_SEAL);
  await pipeline(archive, createWriteStream(forged));
  expect(await cliBeside(posthorn, ["consent", "verify", "--from", forged])).toMatchObject({
    code: 1,
    out: expect.stringContaining("→ The manifest of the backup names a different end: row 12 of 2026-03-03."),
  });
});
