// Whose the files are after a restore, and what is said where somebody may not read or write them.
import { describe, expect, mock, test } from "bun:test";
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { restore } from "../../src/operator/backup/restore.ts";
import { systemClock } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { giveToOwnerOf } from "../../src/base/private-files.ts";
import { posthornCli, serving } from "../support/cli.ts";
import { knowOneMore } from "../support/database.ts";
import { leftovers } from "../support/leftovers.ts";

const SERVICE_USER = 4321;
const IS_ROOT = process.geteuid?.() === 0;
const { folder } = leftovers();
/** Below it only root listens. */
const firstOpenPort = () => Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));

/** A data directory of the user that the service runs as. */
function ofService(): string {
  const data = folder();
  chownSync(data, SERVICE_USER, SERVICE_USER);
  return data;
}

const ownersIn = (data: string): readonly number[] => [
  ...new Set(readdirSync(data, { recursive: true }).map((name) => lstatSync(join(data, String(name))).uid)),
];

const folderAside = (data: string) => readdirSync(data).find((name) => name.startsWith("before-")) as string;

async function backupOfSome(): Promise<string> {
  const [data, file] = [folder(), join(folder(), "backup")];
  await (await serving(["--data", data])).stop();
  expect(await posthornCli(["backup", file, "--data", data])).toMatchObject({ code: 0 });
  return file;
}

describe.skipIf(!IS_ROOT)("What root does to the data directory of another user is that user's", () => {
  test("after a restore, over nothing and over what was there", async () => {
    const [file, data] = [await backupOfSome(), ofService()];
    for (const _ of [1, 2]) {
      expect(await posthornCli(["restore", file, "--data", data])).toMatchObject({ code: 0 });
      expect(ownersIn(data)).toEqual([SERVICE_USER]);
    }
  });

  test("after a standby and its promotion", async () => {
    const [data, stream] = [ofService(), folder()];
    await using _ = await serving(["--data", folder()], { POSTHORN_BACKUP_STREAM: stream });
    while (!readdirSync(stream).some((name) => name.startsWith("snapshot-"))) await Bun.sleep(20);
    const words = ["--from", stream, "--data", data];
    expect(await posthornCli(["standby", ...words])).toMatchObject({ code: 0 });
    expect(ownersIn(data)).toEqual([SERVICE_USER]);
    expect(await posthornCli(["promote", "--force", ...words])).toMatchObject({ code: 0 });
    expect(ownersIn(data)).toEqual([SERVICE_USER]);
  });

  test("after a rollback", async () => {
    const data = ofService();
    await (await serving(["--data", data])).stop();
    const forget = knowOneMore();
    expect(await posthornCli(["migrate", "--data", data]).finally(forget)).toMatchObject({ code: 0 });
    expect(await posthornCli(["rollback", "--data", data])).toMatchObject({ code: 0 });
    for (const name of ["posthorn.db", "posthorn.db.lock", folderAside(data), join(folderAside(data), "posthorn.db")])
      expect([name, lstatSync(join(data, name)).uid]).toEqual([name, SERVICE_USER]);
  });

  test("but no file that a link of theirs leads to", () => {
    const [data, elsewhere] = [ofService(), folder()];
    symlinkSync(elsewhere, join(data, "link"));
    giveToOwnerOf(data, [join(data, "link")]);
    expect([lstatSync(join(data, "link")).uid, lstatSync(elsewhere).uid]).toEqual([SERVICE_USER, 0]);
  });
});

test("A restore that is refused does not open its backup", async () => {
  const data = folder();
  writeFileSync(join(data, "a file"), "");
  const open = mock(() => Readable.from(["never read"]));
  const config = { ...DEFAULTS, data: { dir: join(data, "a file") } };
  const restoring = restore({ config, clock: systemClock, opener: { passphrase: null, identity: null } }, open);
  await expect(restoring).rejects.toThrow();
  expect(open).not.toHaveBeenCalled();
});

describe.skipIf(!IS_ROOT)("Somebody without permission hears which file, whose it is, and what to do", () => {
  /** As a user who owns nothing here. */
  async function asNobody(words: readonly string[], env?: Record<string, string>) {
    process.seteuid?.(65_534);
    try {
      return await posthornCli(words, env);
    } finally {
      process.seteuid?.(0);
    }
  }

  test.each<string[]>([
    ["status"],
    ["backup", "/tmp/never-made"],
    ["rollback"],
    ["restore", "FILE"],
    ["promote", "--from", "/tmp"],
    ["user", "list"],
  ])("who runs posthorn %s", async (...words: string[]) => {
    const [file, data] = [await backupOfSome(), ofService()];
    chownSync(file, 65_534, 65_534);
    chmodSync(dirname(file), 0o755);
    expect(await posthornCli(["restore", file, "--data", data])).toMatchObject({ code: 0 });
    const { code, err } = await asNobody([...words.map((word) => (word === "FILE" ? file : word)), "--data", data]);
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`^${data}.*: permission denied\\. You are nobody, and ${data} belongs to #4321\\.`));
    expect(err).toEndWith(
      "Run the command as that user: sudo -u #4321 … (docs/operate/troubles.md#a-permission-is-missing)",
    );
  });

  test("who backs up into a folder that may not be written", async () => {
    const [data, closed] = [folder(), folder()];
    await (await serving(["--data", data])).stop();
    for (const path of [data, ...readdirSync(data).map((name) => join(data, name))]) chownSync(path, 65_534, 65_534);
    const { code, err } = await asNobody(["backup", join(closed, "backup"), "--data", data]);
    expect(code).toBe(1);
    expect(err).toContain(`: permission denied. You are nobody, and ${closed} belongs to root.`);
  });

  test.skipIf(firstOpenPort() < 1024)("who may not listen on a port", async () => {
    const data = folder();
    chownSync(data, 65_534, 65_534);
    const about = "docs/operate/troubles.md#a-permission-is-missing";
    const said = async (env: Record<string, string>) => {
      const { code, err } = await asNobody(["serve", "--data", data], env);
      return [code, err.split("\n").at(-1)];
    };
    expect(await said({ POSTHORN_HTTP_PORT: "81" })).toEqual([
      1,
      `127.0.0.1:81 needs more privileges than this user has. Set an http.port above 1023, or let this user listen there: ${about}.`,
    ]);
    expect(await said({ POSTHORN_HTTP_PORT: "0", POSTHORN_SMTP_SUBMISSION_PORT: "82" })).toEqual([
      1,
      `smtp.submission_port: 127.0.0.1:82 needs more privileges than this user has. Set a port above 1023, or let this user listen there: ${about}. 0 turns it off.`,
    ]);
  });

  test("also where the directory is open, and only the database is not", async () => {
    const [file, data] = [await backupOfSome(), ofService()];
    expect(await posthornCli(["restore", file, "--data", data])).toMatchObject({ code: 0 });
    chmodSync(data, 0o755);
    const database = join(data, "posthorn.db");
    for (const words of [["status"], ["queue", "list"], ["user", "list"]])
      expect(await asNobody([...words, "--data", data])).toMatchObject({
        code: 1,
        err: expect.stringContaining(
          `${database}: permission denied. You are nobody, and ${database} belongs to #4321.`,
        ),
      });
  });
});

describe("A file that is not encrypted", () => {
  test.each([
    ["a passphrase of the command line", true],
    ["a passphrase of the configuration", false],
  ])("is refused with %s, and changes nothing", async (_, isByFile) => {
    const [file, data, secret] = [await backupOfSome(), folder(), join(folder(), "passphrase")];
    writeFileSync(secret, "correct horse battery");
    const words = ["restore", file, "--data", data, ...(isByFile ? ["--passphrase-file", secret] : [])];
    const env = isByFile ? undefined : { POSTHORN_BACKUP_PASSPHRASE: "correct horse battery" };
    const { code, err } = await posthornCli(words, env);
    expect(code).toBe(1);
    expect(err).toStartWith("It is not encrypted");
    expect(readdirSync(data).filter((name) => !name.endsWith(".lock"))).toEqual([]);
  });
});
