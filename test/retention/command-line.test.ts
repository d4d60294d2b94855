// posthorn prune: what would go is what goes. posthorn compact: the file gives back what was deleted, while the server
// works.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { cliBeside, jsonBeside } from "../support/cli.ts";
import { ENGINE } from "../support/database.ts";
import { letter, mailsSent } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { mailIds } from "../support/retention.ts";
import { ask, countOf } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const onSqlite = test.skipIf(ENGINE !== "sqlite");
const onPostgres = test.skipIf(ENGINE !== "postgres");

/** For the command, whose clock is the machine's: everything in the tests is months old. */
const DAYS = {
  POSTHORN_RETENTION_MAIL_DAYS: "31",
  POSTHORN_RETENTION_BODY_DAYS: "10",
  POSTHORN_RETENTION_EVENT_DAYS: "31",
  POSTHORN_RETENTION_INBOUND_DAYS: "31",
  POSTHORN_RETENTION_ATTEMPT_DAYS: "1",
  POSTHORN_RETENTION_RECIPIENT_DAYS: "730",
};

async function sendSome(posthorn: Posthorn, count: number): Promise<void> {
  for (let number = 1; number <= count; number++)
    await ask(posthorn, "POST /v1/send", { body: { ...letter, subject: `Number ${number}` } });
  await posthorn.settle();
}

test("prune says what would go, and then that goes, and nothing of another workspace if one is named (slow)", async () => {
  await using posthorn = await workspace();
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  await sendSome(posthorn, 3);
  await ask(posthorn, "POST /v1/send", { key: { bearer: other.secret }, body: { ...letter, from: "a@other.test" } });
  await posthorn.settle();
  const inDefault = ["prune", "--workspace", "default"];
  const planned = await jsonBeside(posthorn, [...inDefault, "--dry-run"], DAYS);
  expect(planned).toEqual([
    { workspace: "default", kind: "attempts", days: 1, rows: 0 },
    { workspace: "default", kind: "events", days: 31, rows: 2 },
    { workspace: "default", kind: "bodies", days: 10, rows: 3 },
    { workspace: "default", kind: "inbound", days: 31, rows: 0 },
    { workspace: "default", kind: "reports", days: 31, rows: 0 },
    { workspace: "default", kind: "mails", days: 31, rows: 3 },
    { workspace: "default", kind: "recipients", days: 730, rows: 0 },
  ]);
  expect(await mailIds(posthorn)).toHaveLength(3);
  expect(await jsonBeside(posthorn, inDefault, DAYS)).toEqual(planned);
  expect(await mailIds(posthorn)).toEqual([]);
  expect([await countOf(posthorn, "emails"), await countOf(posthorn, "contents")]).toEqual([1, 1]);
  // The last email.sent of the contact of each workspace.
  expect(await posthorn.eventNames()).toEqual(["email.sent", "email.sent"]);
  const again = await jsonBeside(posthorn, inDefault, DAYS);
  expect(again.map(({ rows }: { rows: number }) => rows)).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test("prune tells a person the same, in words (slow)", async () => {
  await using posthorn = await workspace();
  await sendSome(posthorn, 1);
  const { code, out } = await cliBeside(posthorn, ["prune", "--dry-run"], DAYS);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /^WORKSPACE +KIND +OLDER THAN +WOULD GO\n[^]*default +mails +31 days +1\ndefault +recipients +730 days +0$/,
    ),
  ]);
  const forever = Object.fromEntries(Object.keys(DAYS).map((key) => [key, "0"]));
  expect((await cliBeside(posthorn, ["prune"], forever)).out).toBe("Everything is kept forever.");
});

onSqlite("compact makes the file smaller while the server works, and loses nothing", async () => {
  await using posthorn = await workspace();
  const file = join(posthorn.dataDir, "posthorn.db");
  const attachments = [{ filename: "a.bin", content: Buffer.alloc(400_000, 7).toString("base64") }];
  for (let number = 0; number < 5; number++) await ask(posthorn, "POST /v1/send", { body: { ...letter, attachments } });
  await posthorn.settle();
  await cliBeside(posthorn, ["prune"], DAYS);
  const compacting = jsonBeside(posthorn, ["compact"]);
  const sent = await ask(posthorn, "POST /v1/send", { body: { ...letter, subject: "Meanwhile" } });
  const { bytesBefore, bytesAfter } = await compacting;
  expect(sent.status).toBe(200);
  expect(bytesBefore - bytesAfter).toBeGreaterThan(1_900_000);
  expect(statSync(file).size).toBeLessThan(bytesBefore);
  expect((await mailsSent(posthorn)).at(-1)?.subject).toBe("Meanwhile");
  using database = new Database(file, { readonly: true });
  expect(database.query("pragma integrity_check").values()).toEqual([["ok"]]);
  expect(await jsonBeside(posthorn, ["compact"])).toMatchObject({ bytesAfter: expect.any(Number) });
  expect((await cliBeside(posthorn, ["compact"])).out).toMatch(/^The database has [\d.]+ MB; nothing in it is free\.$/);
});

onSqlite("texts that are pruned make room, however short they were, and leave their mails as they were", async () => {
  await using posthorn = await workspace();
  for (let number = 0; number < 60; number++)
    await ask(posthorn, "POST /v1/send", { body: { ...letter, body: `<p>${"Hello ".repeat(500)}</p>` } });
  await posthorn.settle();
  const [mail = ""] = await mailIds(posthorn);
  const record = (await ask(posthorn, `GET /emails/${mail}`)).body;
  const forever = Object.fromEntries(Object.keys(DAYS).map((key) => [key, "0"]));
  await jsonBeside(posthorn, ["prune"], { ...forever, POSTHORN_RETENTION_BODY_DAYS: "10" });
  const { bytesBefore, bytesAfter } = await jsonBeside(posthorn, ["compact"]);
  expect(bytesBefore - bytesAfter).toBeGreaterThan(60 * 2_500);
  expect((await ask(posthorn, `GET /emails/${mail}`)).body).toEqual(record);
  using database = new Database(join(posthorn.dataDir, "posthorn.db"), { readonly: true });
  expect(database.query("pragma foreign_key_check").values()).toEqual([]);
});

onPostgres("on PostgreSQL compact says who does that there", async () => {
  await using posthorn = await workspace();
  expect(await cliBeside(posthorn, ["compact"])).toMatchObject({ code: 0, out: expect.stringContaining("autovacuum") });
});
