// Backups by themselves, in a folder or a bucket: when they are due, how many stay, and what happens if one fails.
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import S3rver from "s3rver";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { lastBackups } from "../../src/operator/backup/queries.ts";
import { cliBeside, posthornCli } from "../support/cli.ts";
import { leftovers } from "../support/leftovers.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { somebody } from "../support/people.ts";
import { startOn } from "../support/installation.ts";
import { workspace } from "../support/workspace.ts";

const DAY_SECONDS = 86_400;
const { clean, folder } = leftovers();

const ofToday = (name: string): string => /posthorn-(\d{4}-\d\d-\d\dT\d\d-\d\d)/.exec(name)?.[1] ?? name;

function outcomes(posthorn: Posthorn) {
  return posthorn.store.read(async (reader) => (await lastBackups(reader, 10)).map(({ error }) => error === null));
}

test("A backup is made at once, then when it is due, and the newest stay", async () => {
  const to = folder();
  writeFileSync(join(to, "notes.txt"), "not a backup");
  await using posthorn = await workspace({ config: { backup: { everySeconds: DAY_SECONDS, to, keep: 2 } } });
  const days: string[][] = [];
  for (const hours of [0, 23, 1, 24]) {
    posthorn.clock.advance(hours * HOUR_MS);
    await posthorn.settle();
    days.push(readdirSync(to).sort().map(ofToday));
  }
  expect(days).toEqual([
    ["notes.txt", "2026-03-01T09-00"],
    ["notes.txt", "2026-03-01T09-00"],
    ["notes.txt", "2026-03-01T09-00", "2026-03-02T09-00"],
    ["notes.txt", "2026-03-02T09-00", "2026-03-03T09-00"],
  ]);
});

test("A backup of the schedule can be restored, and a restart makes none that is not due", async () => {
  const [to, dataDir] = [folder(), folder()];
  const backup = { everySeconds: DAY_SECONDS, to, passphrase: "correct horse battery" };
  {
    await using posthorn = await startPosthorn({ dataDir, config: { backup } });
    await posthorn.call("POST /contacts", { email: "ada@example.com" });
    await posthorn.settle();
  }
  {
    await using posthorn = await startPosthorn({ dataDir, config: { backup } });
    await posthorn.settle();
    expect(await outcomes(posthorn)).toEqual([true]);
  }
  const [name = ""] = readdirSync(to);
  expect(name).toEndWith(".tar.zst.age");
  const restored = folder();
  const env = { POSTHORN_BACKUP_PASSPHRASE: "correct horse battery" };
  expect(await posthornCli(["restore", join(to, name), "--data", restored], env)).toMatchObject({ code: 0 });
  await using other = await startOn(`sqlite:${join(restored, "posthorn.db")}`, { dataDir: restored });
  expect((await other.store.read((reader) => reader.all`select email from contacts`)).length).toBe(1);
});

test("A backup that fails is said, and tried again before the next one is due", async () => {
  const to = join(folder(), "disk");
  writeFileSync(to, "a file where a folder should be");
  await using posthorn = await workspace({ config: { backup: { everySeconds: DAY_SECONDS, to } } });
  await posthorn.settle();
  expect(posthorn.logLines.some((line) => line.includes("the backup failed"))).toBe(true);
  rmSync(to);
  mkdirSync(to);
  posthorn.clock.advance(15 * MINUTE_MS);
  await posthorn.settle();
  expect(await outcomes(posthorn)).toEqual([true, false]);
});

test("A backup by hand does not delay the next one of the schedule", async () => {
  const [to, elsewhere] = [folder(), folder()];
  await using posthorn = await workspace({ config: { backup: { everySeconds: DAY_SECONDS, to } } });
  await posthorn.settle();
  posthorn.clock.advance(23 * HOUR_MS);
  expect((await cliBeside(posthorn, ["backup", join(elsewhere, "by-hand")])).code).toBe(0);
  posthorn.clock.advance(HOUR_MS);
  await posthorn.settle();
  expect(readdirSync(to).map(ofToday).sort()).toEqual(["2026-03-01T09-00", "2026-03-02T09-00"]);
});

test("Before the first backup, the list of a folder that is not there yet is empty", async () => {
  const env = { POSTHORN_BACKUP_TO: join(folder(), "not-yet") };
  expect(await posthornCli(["backups"], env)).toMatchObject({
    code: 0,
    out: `There is no backup at ${env.POSTHORN_BACKUP_TO}.`,
  });
});

test("An owner sees when the last backup was made, or why it failed", async () => {
  const to = join(folder(), "disk");
  writeFileSync(to, "a file where a folder should be");
  await using posthorn = await workspace({ config: { backup: { everySeconds: DAY_SECONDS, to } } });
  const owner = await somebody(posthorn, "OWNER");
  expect((await owner.ask("GET /installation")).body.backup).toEqual({
    everySeconds: DAY_SECONDS,
    to,
    isEncrypted: false,
    stream: null,
    last: null,
  });
  await posthorn.settle();
  const { last: failed } = (await owner.ask("GET /installation")).body.backup;
  expect(failed).toMatchObject({ startedAt: "2026-03-01T09:00:00.000Z", databaseBytes: null });
  expect(failed.error).toBeString();
  const file = join(folder(), "by-hand");
  expect((await cliBeside(posthorn, ["backup", file])).code).toBe(0);
  const { last } = (await owner.ask("GET /installation")).body.backup;
  expect(last).toMatchObject({ name: file, error: null });
  expect(last.databaseBytes).toBeGreaterThan(100_000);
});

test("A backup in a bucket is found, listed, restored and removed when it is old", async () => {
  const files = folder();
  const server = new S3rver({
    port: 0,
    directory: files,
    silent: true,
    configureBuckets: [{ name: "backups", configs: [] }],
  });
  const { port } = await server.run();
  clean.push(() => server.close());
  const access = {
    POSTHORN_BACKUP_TO: "s3://backups/one/house",
    POSTHORN_BACKUP_ENDPOINT: `http://127.0.0.1:${port}`,
    POSTHORN_BACKUP_REGION: "us-east-1",
    POSTHORN_BACKUP_ACCESS_KEY_ID: "S3RVER",
    POSTHORN_BACKUP_SECRET_ACCESS_KEY: "S3RVER",
  };
  const backup = {
    ...{ everySeconds: DAY_SECONDS, keep: 2, to: access.POSTHORN_BACKUP_TO, endpoint: access.POSTHORN_BACKUP_ENDPOINT },
    ...{ region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
  };
  await using posthorn = await startPosthorn({ config: { backup } });
  for (const hours of [0, 24, 24]) {
    posthorn.clock.advance(hours * HOUR_MS);
    await posthorn.settle();
  }
  const { out } = await cliBeside(posthorn, ["backups", "--json"], access);
  const names = (JSON.parse(out) as { name: string }[]).map(({ name }) => name);
  expect(names.map(ofToday)).toEqual(["2026-03-02T09-00", "2026-03-03T09-00"]);
  const dataDir = folder();
  const byHand = "s3://backups/by-hand";
  expect(await cliBeside(posthorn, ["backup", byHand], access)).toMatchObject({ code: 0 });
  for (const address of [`s3://backups/one/house/${names[1]}`, byHand])
    expect(await posthornCli(["restore", address, "--data", dataDir], access)).toMatchObject({ code: 0 });
  await using other = await startOn(`sqlite:${join(dataDir, "posthorn.db")}`, { dataDir });
  expect((await other.store.read((reader) => reader.all`select id from workspaces`)).length).toBe(1);
});

test("A configuration that makes no backups possible is refused, all at once", async () => {
  const { code, err } = await posthornCli(["check-config"], {
    POSTHORN_BACKUP_EVERY: "1d",
    POSTHORN_BACKUP_RECIPIENT: "age1short",
    POSTHORN_BACKUP_PASSPHRASE: "short",
  });
  expect(code).toBe(2);
  for (const words of [
    "backup.to: must be set",
    "backup.recipient: must be a recipient of age",
    "at least 12 characters",
  ])
    expect(err).toContain(words);
});
