// What each release has left behind, opened by this one: its stores, its workspace, and those who call its API.
import { afterAll, describe, expect, test } from "bun:test";
import { createReadStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseContents } from "../build/fixture.ts";
import { unpacked } from "../src/operator/backup/archive.ts";
import { DATABASE, KEY } from "../src/operator/backup/parts.ts";
import { MIGRATIONS } from "../src/store/migrations.ts";
import { literal } from "../src/store/sql.ts";
import { findWorkspace } from "../src/tenant/workspaces/workspace.ts";
import { asMember } from "../src/whole/demo/calls.ts";
import { breaksIn } from "./support/compatible.ts";
import { cliBeside, posthornCli } from "./support/cli.ts";
import { TestClock } from "./support/clock.ts";
import { ENGINE, freshDatabase, freshDirectory, giveBack } from "./support/database.ts";
import { documentOf } from "./support/operations.ts";
import type { Json } from "./support/posthorn.ts";
import { startPosthorn } from "./support/posthorn.ts";
import { workspace } from "./support/workspace.ts";

const RELEASES = join(import.meta.dir, "releases");
const releases = readdirSync(RELEASES).toSorted(Bun.semver.order);

const clean: (() => unknown)[] = [];
afterAll(async () => {
  for (const one of clean.reverse()) await one();
});

function contentsOf(release: string): ReleaseContents {
  return JSON.parse(readFileSync(join(RELEASES, release, "contents.json"), "utf8")) as ReleaseContents;
}

/** A data directory with the release's store in it, and where its database is. */
async function restored(release: string): Promise<{ readonly dir: string; readonly url: string | null }> {
  const work = freshDirectory();
  const database = await freshDatabase();
  clean.push(work.remove, () => giveBack(database));
  const dir = join(work.path, "data");
  mkdirSync(dir);
  const backup = join(RELEASES, release, `${ENGINE}.backup`);
  const { code, err } = await posthornCli(["restore", backup, "--data", dir], placeOf(database.url));
  expect([code, code === 0 ? "" : err]).toEqual([0, ""]);
  return { dir, url: database.url };
}

function placeOf(url: string | null): Readonly<Record<string, string>> {
  return url === null ? {} : { POSTHORN_DATABASE_URL: url };
}

/** A data directory as the release has left it. A backup that is restored comes up to date at once, without a copy. */
async function leftBehind(release: string): Promise<{ readonly dir: string; readonly url: null }> {
  const work = freshDirectory();
  clean.push(work.remove);
  const backup = createReadStream(join(RELEASES, release, "sqlite.backup"));
  await unpacked(backup, { passphrase: null, identity: null }, { folder: work.path, wanted: [DATABASE, KEY] });
  return { dir: work.path, url: null };
}

async function served(release: string, from: typeof restored = restored) {
  const { dir, url } = await from(release);
  const contents = contentsOf(release);
  const clock = new TestClock(contents.at);
  const config = { database: { url, connections: 4 } };
  const posthorn = await startPosthorn({ dataDir: dir, clock, config });
  posthorn.mailsAreMadeUp = true;
  return { dir, url, contents, posthorn };
}

test("there is a release to be tried on", () => {
  expect(releases[0]).toBe("0.1.0");
});

/** Tables without rows, and why. */
const EMPTY: Readonly<Record<string, string>> = {
  passkeys: "an authenticator makes them",
  spent_challenges: "an authenticator answers them",
  soft_bounce_terms: "they take bounces of several days, and a demo is made up to now",
  way_domains: "only relays and Amazon SES are asked for domains, and a demo has neither",
  audience_pieces: "they are gone once a campaign has begun, and before it begins there are none",
  troubles: "a demo has nobody to alert",
  alerts: "a demo has nobody to alert",
  watch_findings: "nobody looks from outside where no email leaves",
  watch_looks: "nobody looks from outside where no email leaves",
};

test("each table has rows in each release, or is known to have none", () => {
  const emptyIn = (release: string) =>
    Object.entries(contentsOf(release).rows).flatMap(([table, rows]) => (rows === 0 ? [table] : []));
  const empty = new Set(releases.flatMap(emptyIn));
  expect([...empty].toSorted()).toEqual(Object.keys(EMPTY).toSorted());
});

describe.each(releases)("the store of %s", (release) => {
  test("is opened with all its rows, its ledger and its emails", async () => {
    const { dir, url, contents, posthorn } = await served(release);
    await using _ = posthorn;
    const { server } = posthorn;
    const counted = await server.store.read(async (reader) => {
      const count = async (table: string) =>
        (await reader.get<{ rows: number }>`select count(*) as rows from ${literal(table)}`)?.rows;
      const tables = Object.entries(contents.rows).filter(([name]) => !WRITTEN_BY_SERVERS.test(name));
      return Promise.all(tables.map(async ([table, rows]) => [table, rows, Number(await count(table))] as const));
    });
    expect(counted.filter(([, before, after]) => before !== after)).toEqual([]);
    const { id } = await server.store.read((reader) => findWorkspace(reader, contents.workspace));
    const ask = await asMember(server, server.url, id, "owner");
    const message: string = await ask(`GET /emails/${contents.email.id}/raw`);
    expect(new Bun.CryptoHasher("sha256").update(message).digest("hex")).toBe(contents.email.sha256);
    const verified = await posthornCli(["consent", "verify", "--data", dir], placeOf(url));
    expect([verified.code, verified.code === 0 ? "" : verified.out]).toEqual([0, ""]);
  });

  test("works on: an email leaves as before", async () => {
    const { url, contents, posthorn } = await served(release);
    await using _ = posthorn;
    const { server } = posthorn;
    // After a restore, nothing leaves until then.
    expect((await cliBeside(posthorn, ["release"], placeOf(url))).code).toBe(0);
    await posthorn.settle();
    const { id } = await server.store.read((reader) => findWorkspace(reader, contents.workspace));
    const ask = await asMember(server, server.url, id, "owner");
    const before = posthorn.transport.recipients.length;
    const { data } = await ask("GET /domains?pageSize=10");
    const domain = data.find((one: Json) => one.verified).domain;
    const letter = { to: "new@example.org", from: `hello@${domain}`, subject: "Hello", body: "<p>Hello</p>" };
    await ask("POST /v1/send", letter);
    await posthorn.settle();
    expect(posthorn.transport.recipients.length).toBe(before + 1);
  });

  test.skipIf(ENGINE !== "sqlite" || contentsOf(release).schema === MIGRATIONS.length)(
    "can be gone back to",
    async () => {
      const { contents, dir, posthorn } = await served(release, leftBehind);
      await posthorn[Symbol.asyncDispose]();
      const { code, out } = await posthornCli(["rollback", "--data", dir]);
      expect([code, out]).toEqual([0, expect.stringContaining(`back at schema ${contents.schema}`)]);
    },
  );
});

test.each(releases)("a workspace that left %s comes in, and its ledger is whole", async (release) => {
  const work = freshDirectory();
  clean.push(work.remove);
  const file = join(work.path, "workspace.tar");
  writeFileSync(file, Bun.zstdDecompressSync(readFileSync(join(RELEASES, release, "workspace.tar.zst"))));
  const contents = contentsOf(release);
  await using posthorn = await startPosthorn({ clock: new TestClock(contents.at) });
  posthorn.mailsAreMadeUp = true;
  const words = ["workspace", "import", file, "--data", posthorn.dataDir];
  const { code, err } = await posthornCli(words, placeOf(posthorn.databaseUrl));
  expect([code, code === 0 ? "" : err]).toEqual([0, ""]);
  const people = await posthorn.store.read(
    (reader) => reader.get<{ rows: number }>`
      select count(*) as rows from contacts where workspace = (select seq from workspaces where name = ${contents.workspace})`,
  );
  // Records that were merged into others, or are being erased, stay.
  const { contacts = 0, merged_contacts: merged = 0, erasures = 0 } = contents.rows;
  expect(Number(people?.rows)).toBe(contacts - merged - erasures);
});

test.each(releases)("who calls the API of %s is at home here", async (release) => {
  await using posthorn = await workspace();
  const file = readFileSync(join(RELEASES, release, "openapi.json.zst"));
  const before = JSON.parse(Bun.zstdDecompressSync(file).toString()) as Json;
  expect(breaksIn(before, await documentOf(posthorn))).toEqual([]);
});

/** Servers and commands add to these as they start and work. */
const WRITTEN_BY_SERVERS =
  /^(audit|backups|contacts_sought_\w+|schema_versions|turns|sessions|machine_visits|watch_\w+|way_\w+)$/;
