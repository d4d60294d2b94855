// What was committed is at the place of the stream within a second, and comes back from there, whole, at any moment.
import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import S3rver from "s3rver";
import { iso } from "../../src/base/clock.ts";
import { heldSince } from "../../src/store/hold.ts";
import { cliBeside, posthornCli, type Env } from "../support/cli.ts";
import { ENGINE } from "../support/database.ts";
import { leftovers, until } from "../support/leftovers.ts";
import { somebody } from "../support/people.ts";
import { welcome } from "../support/workflows.ts";
import { startOn } from "../support/installation.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";

const { clean, folder } = leftovers();

async function addContacts(posthorn: Posthorn, names: readonly string[]): Promise<void> {
  for (const name of names)
    expect((await posthorn.call("POST /contacts", { email: `${name}@example.com` })).status).toBe(201);
}

async function contactsIn(dataDir: string): Promise<string[]> {
  await using posthorn = await startOn(`sqlite:${join(dataDir, "posthorn.db")}`, { dataDir });
  const rows = await posthorn.store.read((reader) => reader.all<{ email: string }>`select email from contacts`);
  return rows.map(({ email }) => email.replace("@example.com", "")).sort();
}

async function restored(stream: string, words: readonly string[] = [], env: Env = {}) {
  const dataDir = folder();
  return { dataDir, ...(await posthornCli(["restore", "--from", stream, "--data", dataDir, ...words], env)) };
}

const segmentsIn = (stream: string) =>
  readdirSync(stream)
    .filter((name) => name.startsWith("g"))
    .sort();
const hasSnapshot = (stream: string) => readdirSync(stream).some((name) => name.startsWith("snapshot-"));

/**
 * Waits until a new contact can be brought back: a segment may as well hold what was there before. Answers the last
 * one, and a moment after.
 */
async function shipped(posthorn: Posthorn, stream: string, name: string, env: Env = {}) {
  await addContacts(posthorn, [name]);
  await until(async () => (await contactsIn((await restored(stream, [], env)).dataDir)).includes(name));
  return { segment: join(stream, segmentsIn(stream).at(-1) as string), moment: iso(Date.now()) };
}

/** A server with a snapshot at its place. */
async function streaming(stream: string, backup: object = {}, dataDir = folder()): Promise<Posthorn> {
  const posthorn = await startPosthorn({ dataDir, config: { backup: { stream, ...backup } } });
  await until(() => hasSnapshot(stream));
  return posthorn;
}

describe.skipIf(ENGINE === "postgres")("a stream", () => {
  test("brings back what a server has accepted, and holds it", async () => {
    const stream = folder();
    {
      await using posthorn = await startPosthorn({ config: { backup: { stream } } });
      await addContacts(posthorn, ["ada"]);
      await until(() => hasSnapshot(stream));
      await addContacts(posthorn, ["bob", "cy"]);
    }
    const { dataDir, code, out } = await restored(stream);
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(out).toMatch(/^The installation of \d{4}-\S+Z is in place/);
    expect(out).toContain("Its queue is held");
    expect(await contactsIn(dataDir)).toEqual(["ada", "bob", "cy"]);
  });

  test("says how large what it brought back is, and not its snapshot", async () => {
    const stream = folder();
    {
      await using posthorn = await streaming(stream);
      const body = `<p>${randomBytes(200_000).toString("hex")}</p>`;
      for (const name of ["a", "b", "c"])
        expect((await posthorn.call("POST /templates", { ...welcome, name, body })).status).toBe(201);
    }
    const { dataDir, out } = await restored(stream, ["--json"]);
    expect(JSON.parse(out).databaseBytes).toBe(statSync(join(dataDir, "posthorn.db")).size);
  });

  test("has every row, whoever copies the log back meanwhile", async () => {
    const stream = folder();
    let rows: unknown[];
    {
      await using posthorn = await streaming(stream);
      const { store } = posthorn;
      for (let round = 0; round < 60; round++) {
        const one = (id: number) =>
          store.write(async (tx) => {
            for (let row = 0; row < 40; row++)
              await tx.run`insert into backups (started_at, name) values (${tx.now}, ${`${round}/${id}/${row}`.padEnd(900, "x")})`;
            await tx.run`delete from backups where seq % 97 = ${round + id}`;
          });
        await Promise.all(Array.from({ length: 8 }, (_, id) => one(id)));
        if (round % 20 === 7) expect((await cliBeside(posthorn, ["compact"])).code).toBe(0);
        if (round % 20 === 13) expect(await store.emptyLog()).toBe(true);
      }
      rows = await store.read((reader) => reader.all`select * from backups order by seq`);
    }
    const { dataDir, code, err } = await restored(stream);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    await using other = await startOn(`sqlite:${join(dataDir, "posthorn.db")}`, { dataDir });
    expect(rows.length).toBeGreaterThan(1_000);
    expect(await other.store.read((reader) => reader.all`select * from backups order by seq`)).toEqual(rows);
  });

  test("goes back to a moment that is asked for, and to none before it began", async () => {
    const stream = folder();
    const began = iso(Date.now());
    let moment: string;
    {
      await using posthorn = await streaming(stream);
      ({ moment } = await shipped(posthorn, stream, "ada"));
      await shipped(posthorn, stream, "bob");
    }
    expect(await contactsIn((await restored(stream, ["--at", moment])).dataDir)).toEqual(["ada"]);
    const { code, err } = await restored(stream, ["--at", began]);
    expect(code).toBe(1);
    expect(err).toContain("The stream begins at ");
  });

  test("whose last segment is cut off anywhere comes back as it was before", async () => {
    const stream = folder();
    let last: string;
    {
      await using posthorn = await streaming(stream);
      await shipped(posthorn, stream, "ada");
      ({ segment: last } = await shipped(posthorn, stream, "bob"));
    }
    const whole = readFileSync(last);
    for (const share of [0, 0.01, 0.3, 0.7, 0.999]) {
      writeFileSync(last, whole);
      truncateSync(last, Math.floor(whole.length * share));
      const { dataDir, code, out } = await restored(stream);
      expect(code).toBe(0);
      expect(out).toContain("is damaged or cut off");
      expect(await contactsIn(dataDir)).toEqual(["ada"]);
    }
  });

  test("that lacks a segment says so, and comes back as it was before", async () => {
    const stream = folder();
    let middle: string;
    {
      await using posthorn = await streaming(stream);
      await shipped(posthorn, stream, "ada");
      ({ segment: middle } = await shipped(posthorn, stream, "bob"));
      await shipped(posthorn, stream, "cy");
    }
    rmSync(middle);
    const { dataDir, out } = await restored(stream);
    expect(out).toMatch(/not in one piece: segment \d+ is missing/);
    expect(await contactsIn(dataDir)).toEqual(["ada"]);
  });

  test("that is encrypted opens with its passphrase alone", async () => {
    const stream = folder();
    const passphrase = "correct horse battery";
    {
      await using posthorn = await streaming(stream, { passphrase });
      await shipped(posthorn, stream, "ada", { POSTHORN_BACKUP_PASSPHRASE: passphrase });
    }
    expect((await restored(stream)).err).toContain("It is encrypted");
    const { dataDir, code } = await restored(stream, [], { POSTHORN_BACKUP_PASSPHRASE: passphrase });
    expect(code).toBe(0);
    expect(await contactsIn(dataDir)).toEqual(["ada"]);
  });

  test("belongs to one data directory: another one is held from its start, ships nothing there, and says so", async () => {
    const stream = folder();
    await using one = await streaming(stream);
    const before = segmentsIn(stream);
    {
      await using other = await startPosthorn({ config: { backup: { stream } } });
      expect(other.logLines.some((line) => line.includes("NOTHING IS SHIPPED"))).toBe(true);
      expect(await other.store.read(heldSince)).not.toBeNull();
      await addContacts(other, ["eve"]);
    }
    expect(segmentsIn(stream)).toEqual(before);
    expect(one.logLines.some((line) => line.includes("NOTHING IS SHIPPED"))).toBe(false);
    expect(await one.store.read(heldSince)).toBeNull();
  });

  test("shows its owner how far it is", async () => {
    const stream = folder();
    await using posthorn = await streaming(stream);
    const owner = await somebody(posthorn, "OWNER");
    await until(() => posthorn.logLines.some((line) => line.includes("the stream has a new snapshot")));
    const { body } = await owner.ask("GET /installation");
    expect((await posthorn.call("GET /ready")).body.stream).toBe("FOLLOWING");
    expect(body.backup.stream).toMatchObject({ to: stream, state: "FOLLOWING", isRefused: false, error: null });
    expect(Date.parse(body.backup.stream.snapshotAt)).toBeGreaterThan(0);
    expect(body.backup.stream.lagSeconds).toBeLessThan(5);
  });

  test("waits for a place that does not answer, and then misses nothing", async () => {
    const stream = join(folder(), "disk");
    writeFileSync(stream, "a file where a folder should be");
    {
      await using posthorn = await startPosthorn({ config: { backup: { stream } } });
      await addContacts(posthorn, ["ada"]);
      expect((await posthorn.call("GET /ready")).body.stream).toBe("FAILING");
      rmSync(stream);
      mkdirSync(stream);
      await until(() => hasSnapshot(stream));
    }
    expect(await contactsIn((await restored(stream)).dataDir)).toEqual(["ada"]);
  }, 20_000);

  test("can be in a bucket", async () => {
    const buckets = [{ name: "backups", configs: [] }];
    const server = new S3rver({ port: 0, directory: folder(), silent: true, configureBuckets: buckets });
    const { port } = await server.run();
    clean.push(() => server.close());
    const [endpoint, region, accessKeyId, secretAccessKey] = [
      `http://127.0.0.1:${port}`,
      "us-east-1",
      "S3RVER",
      "S3RVER",
    ];
    const stream = "s3://backups/one/stream";
    {
      const backup = { stream, endpoint, region, accessKeyId, secretAccessKey };
      await using posthorn = await startPosthorn({ config: { backup } });
      await addContacts(posthorn, ["ada"]);
      await until(() => posthorn.logLines.some((line) => line.includes("the stream has a new snapshot")));
      await addContacts(posthorn, ["bob"]);
    }
    const env = {
      ...{ POSTHORN_BACKUP_ENDPOINT: endpoint, POSTHORN_BACKUP_REGION: region },
      ...{ POSTHORN_BACKUP_ACCESS_KEY_ID: accessKeyId, POSTHORN_BACKUP_SECRET_ACCESS_KEY: secretAccessKey },
    };
    const { dataDir, code, err } = await restored(stream, [], env);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(await contactsIn(dataDir)).toEqual(["ada", "bob"]);
  });
});

test("What cannot be followed is refused by the configuration", async () => {
  const { code, err } = await posthornCli(["check-config"], {
    POSTHORN_BACKUP_STREAM: "/backups",
    POSTHORN_BACKUP_TO: "/backups",
    POSTHORN_DATABASE_URL: "postgres://one@localhost/posthorn",
  });
  expect(code).toBe(2);
  expect(err).toContain("backup.stream: must not be set with PostgreSQL");
  expect(err).toContain("must be another place than backup.to");
});

test("A restore takes a file or a stream", async () => {
  for (const words of [[], ["file", "--from", "/stream"], ["file", "--at", "2026-03-01T09:00:00Z"]])
    expect((await posthornCli(["restore", ...words])).code).toBe(2);
  const { err } = await posthornCli(["restore", "--from", "/stream", "--at", "yesterday"]);
  expect(err).toContain("does not understand --at yesterday");
});
