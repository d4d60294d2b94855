// A backup is made beside a running server and brings the installation back, whole, on either engine.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { packed, unpacked } from "../../src/operator/backup/archive.ts";
import { PARTS } from "../../src/operator/backup/restore.ts";
import { DAY_MS, HOUR_MS, iso, systemClock } from "../../src/base/clock.ts";
import { holdAll } from "../../src/store/hold.ts";
import { cliBeside, posthornCli, serving, type Env } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { ANOTHERS, ENGINE, freshDatabase, inAnother } from "../support/database.ts";
import {
  allAnswers,
  copyOf,
  makeInstallation,
  startOn,
  STOPPED_AT,
  type Installation,
} from "../support/installation.ts";
import { leftovers } from "../support/leftovers.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";

let model: Installation;
const { clean, folder } = leftovers();

beforeAll(async () => void (model = await makeInstallation()));
afterAll(() => model.remove());

/** A stopped installation with a bit of everything, and a backup of it. */
async function backedUp(words: readonly string[] = []): Promise<{ file: string; of: Installation }> {
  const of = copyOf(model);
  clean.push(of.remove);
  const file = join(folder(), "backup");
  expect(await posthornCli(["backup", file, "--data", of.dataDir, ...words])).toMatchObject({ code: 0 });
  return { file, of };
}

function restored(file: string, dataDir: string, words: readonly string[] = [], env: Env = {}) {
  return posthornCli(["restore", file, "--data", dataDir, ...words], env);
}

/** What an installation answers after its start. */
async function answersOf(url: string, dataDir: string) {
  await using posthorn = await startOn(url, { dataDir, clock: new TestClock(STOPPED_AT) });
  return await allAnswers(posthorn, model.secretKey);
}

async function send(posthorn: Posthorn, to: string): Promise<void> {
  const letter = { from: "hello@example.test", subject: "Hi", body: "<p>Hi</p>" };
  expect((await posthorn.call("POST /v1/send", { ...letter, to })).status).toBe(200);
}

test("A restored installation answers what the old one did", async () => {
  const { file } = await backedUp();
  const dataDir = folder();
  const { code, out } = await restored(file, dataDir);
  expect(code).toBe(0);
  expect(out).toMatch(/^The installation of \d{4}-.*Z is in place: a database of \d+ MB\.\n/);
  expect(await answersOf(`sqlite:${join(dataDir, "posthorn.db")}`, dataDir)).toEqual(model.answers);
});

test("A backup is a file that others cannot read, and nothing else is left behind", async () => {
  const { file, of } = await backedUp();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(file, ".."))).toEqual(["backup"]);
  expect(readdirSync(of.dataDir).filter((name) => name.includes("work"))).toEqual([]);
});

test("A backup of a server at work holds all that was accepted before, and the server knows of it", async () => {
  await using posthorn = await startPosthorn();
  await send(posthorn, "before@example.com");
  const file = join(folder(), "backup");
  expect((await cliBeside(posthorn, ["backup", file])).code).toBe(0);
  await send(posthorn, "after@example.com");
  const dataDir = folder();
  expect((await restored(file, dataDir)).code).toBe(0);
  const url = `sqlite:${join(dataDir, "posthorn.db")}`;
  await using other = await startOn(url, { dataDir, clock: new TestClock() });
  const { body } = await other.call("GET /emails", undefined, { authorization: `Bearer ${posthorn.keys.secret}` });
  expect(body.data.map(({ to }: { to: string }) => to)).toEqual(["before@example.com"]);
});

test("A backup goes into PostgreSQL as well, and one of PostgreSQL into a file", async () => {
  if (ENGINE === "sqlite") return;
  const { file } = await backedUp();
  const [dataDir, { url }] = [folder(), await freshDatabase()];
  const env = { POSTHORN_DATABASE_URL: url as string };
  expect(await restored(file, dataDir, [], env)).toMatchObject({ code: 0 });
  const again = join(folder(), "again");
  expect((await posthornCli(["backup", again, "--data", dataDir], env)).code).toBe(0);
  const last = folder();
  expect((await restored(again, last)).code).toBe(0);
  expect(await answersOf(`sqlite:${join(last, "posthorn.db")}`, last)).toEqual(model.answers);
});

test("A database that holds something is refused, and stays as it is", async () => {
  if (ENGINE === "sqlite") return;
  await using posthorn = await startPosthorn();
  await send(posthorn, "theirs@example.com");
  const { file } = await backedUp();
  const { code, err } = await restored(file, folder(), [], { POSTHORN_DATABASE_URL: posthorn.databaseUrl as string });
  expect(code).toBe(1);
  expect(err).toContain("Name an empty database");
  expect((await posthorn.call("GET /emails")).body.total).toBe(1);
});

test("What a killed process has left is removed with the next backup, and with the next restore", async () => {
  const { file, of } = await backedUp();
  const dataDir = folder();
  const gone = Bun.spawnSync(["true"]).pid;
  for (const left of [join(of.dataDir, `backup-in-work-${gone}-abc`), join(dataDir, `restore-in-work-${gone}-abc`)]) {
    mkdirSync(left);
    writeFileSync(join(left, "posthorn.db"), "half a copy");
  }
  expect((await posthornCli(["backup", `${file}-2`, "--data", of.dataDir])).code).toBe(0);
  expect((await restored(file, dataDir)).code).toBe(0);
  const left = [...readdirSync(of.dataDir), ...readdirSync(dataDir)].filter((name) => name.includes("in-work"));
  expect(left).toEqual([]);
});

test("What was there before is moved aside, with its key", async () => {
  const { file } = await backedUp();
  const dataDir = folder();
  writeFileSync(join(dataDir, "posthorn.db"), "old database");
  writeFileSync(join(dataDir, "posthorn.db-wal"), "old log");
  writeFileSync(join(dataDir, "secret.key"), "old key");
  const { code, out } = await restored(file, dataDir);
  expect(code).toBe(0);
  const aside = /What was there before is in (.*)\. Delete/.exec(out)?.[1] as string;
  expect(readFileSync(join(aside, "posthorn.db"), "utf8")).toBe("old database");
  expect(readFileSync(join(aside, "posthorn.db-wal"), "utf8")).toBe("old log");
  expect(readFileSync(join(aside, "secret.key"), "utf8")).toBe("old key");
  expect(await answersOf(`sqlite:${join(dataDir, "posthorn.db")}`, dataDir)).toEqual(model.answers);
});

test("Nothing is restored under a running server", async () => {
  const { file } = await backedUp();
  const running = copyOf(model);
  clean.push(running.remove);
  await using posthorn = await startOn(`sqlite:${running.path}`, {
    dataDir: running.dataDir,
    clock: new TestClock(STOPPED_AT),
  });
  const { code, err } = await restored(file, running.dataDir);
  expect(code).toBe(1);
  expect(err).toContain("is running on");
  expect(await allAnswers(posthorn, model.secretKey)).toEqual(model.answers);
});

test("A backup encrypted with a passphrase opens with that one alone", async () => {
  const passphrases = folder();
  writeFileSync(join(passphrases, "right"), "correct horse battery\n");
  writeFileSync(join(passphrases, "wrong"), "incorrect horse battery\n");
  const { file } = await backedUp(["--passphrase-file", join(passphrases, "right")]);
  expect(readFileSync(file).includes("SQLite")).toBe(false);
  const dataDir = folder();
  expect((await restored(file, dataDir)).err).toContain("It is encrypted: give the passphrase or the identity");
  const wrong = await restored(file, dataDir, ["--passphrase-file", join(passphrases, "wrong")]);
  expect(wrong.err).toContain("does not open it");
  expect(readdirSync(dataDir).filter((name) => !name.endsWith(".lock"))).toEqual([]);
  expect((await restored(file, dataDir, ["--passphrase-file", join(passphrases, "right")])).code).toBe(0);
  expect(existsSync(join(dataDir, "posthorn.db"))).toBe(true);
});

test("A backup encrypted for a key of age opens with its secret half", async () => {
  const identity = await generateIdentity();
  const { file } = await backedUp(["--recipient", await identityToRecipient(identity)]);
  const keys = folder();
  writeFileSync(join(keys, "identity"), `# created: today\n${identity}\n`);
  const dataDir = folder();
  expect((await restored(file, dataDir, ["--identity-file", join(keys, "identity")])).code).toBe(0);
  expect(await answersOf(`sqlite:${join(dataDir, "posthorn.db")}`, dataDir)).toEqual(model.answers);
});

test("A damaged backup, or another file, changes nothing", async () => {
  const { file } = await backedUp();
  const dataDir = folder();
  writeFileSync(join(dataDir, "posthorn.db"), "old");
  const half = join(folder(), "half");
  writeFileSync(half, readFileSync(file));
  truncateSync(half, Math.floor(statSync(file).size / 2));
  const other = join(folder(), "other");
  writeFileSync(other, "not a backup at all, but long enough to be looked at");
  for (const path of [half, other]) {
    const { code, err } = await restored(path, dataDir);
    expect(code).toBe(1);
    expect(err).toContain("no backup of Posthorn, or it is damaged or cut off");
  }
  expect(readFileSync(join(dataDir, "posthorn.db"), "utf8")).toBe("old");
});

test("A key of the configuration that is not the backup's is refused", async () => {
  const { file } = await backedUp();
  const { code, err } = await restored(file, folder(), [], { POSTHORN_SECRETS_KEY: "0".repeat(64) });
  expect(code).toBe(1);
  expect(err).toContain("is not the key of this backup");
});

test("A backup of a preview, with another schema, is refused in clear words and changes nothing", async () => {
  const { file } = await backedUp();
  const dataDir = folder();
  const { code, err } = await inAnother(() => restored(file, dataDir));
  expect([code, err]).toEqual([2, expect.stringContaining(ANOTHERS)]);
  expect(existsSync(join(dataDir, "posthorn.db"))).toBe(false);
});

test("A backup whose key is not that of its database changes nothing", async () => {
  const { file } = await backedUp();
  const parts = folder();
  expect(
    await unpacked(createReadStream(file), { passphrase: null, identity: null }, { folder: parts, wanted: PARTS }),
  ).toContain("secret.key");
  const [dataDir, forged] = [folder(), join(folder(), "forged")];
  writeFileSync(join(dataDir, "posthorn.db"), "old");
  for (const key of [`${"0".repeat(64)}\n`, "no key"]) {
    writeFileSync(join(parts, "secret.key"), key);
    const inside = readdirSync(parts).map((name) => ({ name, path: join(parts, name) }));
    writeFileSync(forged, await buffer(await packed(inside, { passphrase: null, recipient: null })));
    const { code, err } = await restored(forged, dataDir);
    expect([code, err]).toEqual([1, expect.stringContaining("Its secret.key is not the key of its database")]);
  }
  expect(readdirSync(dataDir).filter((name) => !name.endsWith(".lock"))).toEqual(["posthorn.db"]);
  expect(readFileSync(join(dataDir, "posthorn.db"), "utf8")).toBe("old");
});

test("A backup without a store to copy, or into a folder that is not there, says so", async () => {
  const empty = folder();
  expect((await posthornCli(["backup", join(empty, "b"), "--data", empty])).err).toContain("There is no database");
  const of = copyOf(model);
  clean.push(of.remove);
  const nothing = join(empty, "passphrase");
  writeFileSync(nothing, "\n");
  const sealed = ["backup", join(empty, "b"), "--data", of.dataDir, "--passphrase-file", nothing];
  expect((await posthornCli(sealed)).err).toContain(`The file ${nothing} is empty`);
  const { code, err } = await posthornCli(["backup", join(empty, "no", "b"), "--data", of.dataDir]);
  expect(code).toBe(1);
  expect(err).toContain("no such file or directory");
  mkdirSync(join(empty, "no"));
  expect((await posthornCli(["backup", join(empty, "no", "b"), "--data", of.dataDir])).code).toBe(0);
});

test("What was queued stays until it is released, then leaves once", async () => {
  const { file } = await backedUp();
  const dataDir = folder();
  expect((await restored(file, dataDir)).out).toContain("Its queue is held");
  await using posthorn = await startOn(`sqlite:${join(dataDir, "posthorn.db")}`, {
    dataDir,
    clock: new TestClock(STOPPED_AT),
  });
  posthorn.clock.advance(DAY_MS);
  await posthorn.settle();
  expect(posthorn.transport.sent).toEqual([]);
  const asked = { authorization: `Bearer ${model.secretKey}` };
  const { body: queue } = await posthorn.call("GET /queue", undefined, asked);
  expect(queue.reasons.map(({ reason }: { reason: string }) => reason)).toEqual(["SENDING_HELD"]);
  const { body: overview } = await posthorn.call("GET /overview", undefined, asked);
  expect(overview.attention[0].kind).toBe("SENDING_HELD");
  expect(await cliBeside(posthorn, ["release"])).toMatchObject({ code: 0, out: "Released: what waits leaves now." });
  await posthorn.settle();
  const recipients = posthorn.transport.sent.map(({ envelope }) => envelope.recipient).sort();
  expect(recipients).toEqual(["cy@example.com", "dee@example.com", "eve@example.com", "fay@example.com"]);
  expect((await cliBeside(posthorn, ["release"])).out).toBe("It was not held.");
});

test("A server that is started with --hold says what waits, and sends nothing", async () => {
  const { dataDir, remove } = copyOf(model);
  clean.push(remove);
  await using server = await serving(["--hold", "--data", dataDir]);
  expect(server.text).toContain("no email leaves and no webhook is called");
  expect(server.text).toMatch(/\n {2}4 outside campaigns in default, accepted 2026-03-01T\S+\n/);
});

test("Email older than a given time stays held when the rest is released", async () => {
  // The command line goes by the time of the machine.
  const clock = new TestClock(iso(systemClock.nowMs() - 3 * HOUR_MS));
  await using posthorn = await startPosthorn({ clock });
  await posthorn.store.write(holdAll);
  await send(posthorn, "old@example.com");
  clock.advance(3 * HOUR_MS);
  await send(posthorn, "new@example.com");
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual([]);
  const { out } = await cliBeside(posthorn, ["release", "--newer-than", "2h"]);
  expect(out).toBe("Released: what waits leaves now. 1 older email stays held: posthorn queue list --state held");
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["new@example.com"]);
});

test("A release of what is not held sets nothing aside", async () => {
  const clock = new TestClock(iso(systemClock.nowMs() - 3 * HOUR_MS));
  await using posthorn = await startPosthorn({ clock });
  await send(posthorn, "old@example.com");
  expect((await cliBeside(posthorn, ["release", "--newer-than", "2h"])).out).toBe("It was not held.");
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["old@example.com"]);
});
