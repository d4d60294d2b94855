// What Posthorn writes is for its own user alone, whatever the umask and the directory allow.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ownCertificate } from "../src/base/certificates/source.ts";
import { DEFAULTS } from "../src/base/config.ts";
import { createLog } from "../src/base/log.ts";
import { posthornCli, serving } from "./support/cli.ts";
import { TestClock } from "./support/clock.ts";
import { freshDirectory } from "./support/database.ts";

let directory: ReturnType<typeof freshDirectory>;
let data: string;
let umask: number;
beforeEach(() => {
  directory = freshDirectory();
  data = join(directory.path, "data");
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
  directory.remove();
});

function modesIn(path: string): Record<string, string> {
  const names = readdirSync(path).sort();
  return Object.fromEntries(names.map((name) => [name, (statSync(join(path, name)).mode & 0o777).toString(8)]));
}

const FILES = [
  "posthorn.db",
  "posthorn.db-shm",
  "posthorn.db-wal",
  "posthorn.db.lock",
  "posthorn.db.lock-journal",
  "secret.key",
];

test("the database, its log and the key are closed to others, also where they were open before (slow)", async () => {
  mkdirSync(data, { mode: 0o755 });
  const closed = Object.fromEntries(FILES.map((name) => [name, "600"]));
  const first = await serving(["--data", data]);
  expect(modesIn(data)).toEqual(closed);
  for (const name of readdirSync(data)) chmodSync(join(data, name), 0o666);
  await first.stop();
  for (const name of readdirSync(data)) chmodSync(join(data, name), 0o644);
  await using _ = await serving(["--data", data]);
  expect(modesIn(data)).toEqual(closed);
});

test("a database elsewhere, made by a verb, is closed to others, and so is its directory", async () => {
  const elsewhere = join(directory.path, "db");
  const env = { POSTHORN_DATABASE_URL: `sqlite:${elsewhere}/mail.db` };
  expect((await posthornCli(["workspace", "create", "acme", "--data", data], env)).code).toBe(0);
  expect(modesIn(elsewhere)).toEqual({ "mail.db": "600" });
  expect(modesIn(data)).toEqual({ "secret.key": "600" });
  expect(modesIn(directory.path)).toEqual({ data: "700", db: "700" });
});

test("the key of a certificate of our own is closed to others, also where it was open before", () => {
  mkdirSync(data);
  const log = createLog({ level: "error", format: "text", clock: new TestClock(), write: () => {} });
  const open = () => ownCertificate({ ...DEFAULTS, data: { dir: data } }, { clock: new TestClock(), log });
  open();
  expect(modesIn(data)["smtp.key.pem"]).toBe("600");
  chmodSync(join(data, "smtp.key.pem"), 0o644);
  open();
  expect(modesIn(data)["smtp.key.pem"]).toBe("600");
});

test("a directory that is open to others is reported by the start and by check-config, one that is closed is not (slow)", async () => {
  mkdirSync(data, { mode: 0o750 });
  const said = `The directory ${data} is open to other users (mode 750).`;
  const told = async () => {
    await using server = await serving(["--data", data]);
    const { code, out } = await posthornCli(["check-config", "--data", data]);
    expect([code, out.split("\n")[0]]).toEqual([0, "configuration is fine"]);
    return [server.text.includes(said), out.includes(said)];
  };
  expect(await told()).toEqual([true, true]);
  chmodSync(data, 0o700);
  expect(await told()).toEqual([false, false]);
});
