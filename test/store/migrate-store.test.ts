// `posthorn migrate-store`: a stopped installation from SQLite into PostgreSQL, whole. Needs POSTHORN_TEST_DATABASE.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { migrateStore, type MigrationResult } from "../../src/store/copy/migrate-store.ts";
import type { CopyStep } from "../../src/store/copy/table.ts";
import { posthornCli } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { MIGRATIONS } from "../../src/store/migrations.ts";
import { ENGINE, freshDatabase, knowOneMore } from "../support/database.ts";
import {
  allAnswers,
  copyOf,
  makeInstallation,
  startOn,
  STOPPED_AT,
  type Installation,
} from "../support/installation.ts";
import { leftovers } from "../support/leftovers.ts";

const inPostgres = describe.skipIf(ENGINE === "sqlite");

let model: Installation;
const { clean } = leftovers();

beforeAll(async () => void (model = await makeInstallation()));
afterAll(() => model.remove());

/** A target that only its tables are in, and a connection to look into it. */
async function target(): Promise<{ url: string; sql: SQL }> {
  const { url } = await freshDatabase();
  const sql = new SQL(url as string, { max: 1, bigint: true });
  clean.push(() => sql.close());
  return { url: url as string, sql };
}

function source(change?: string): Installation {
  const copy = copyOf(model);
  clean.push(copy.remove);
  if (change) changeSource(copy, change);
  return copy;
}

function changeSource({ path }: Installation, change: string): void {
  const database = new Database(path);
  database.run(change);
  database.close();
}

/** Stopped after so many batches, or with all of them copied and none checked. */
type Run = { readonly stopAfter?: number | "copied"; readonly rows?: number };

/** Copies in small batches, as if the process died when it is stopped. */
async function migrate(from: Installation, to: string, { stopAfter, rows = 2 }: Run = {}) {
  const steps: CopyStep[] = [];
  const onStep = (step: CopyStep) => {
    steps.push(step);
    const isStopped = stopAfter === "copied" ? step.phase === "checked" : copiedOf(steps).length === stopAfter;
    if (isStopped) throw new Error("The power is gone.");
  };
  const limits = { rows, bytes: 1_000_000 };
  const done = migrateStore({ from: from.path, to, clock: new TestClock(STOPPED_AT), onStep, limits });
  const migrated = stopAfter === undefined ? await done : await done.catch((error: Error) => error.message);
  return { steps, migrated: migrated as MigrationResult };
}

function copiedOf(steps: readonly CopyStep[]): readonly CopyStep[] {
  return steps.filter(({ phase }) => phase === "copied");
}

const THEIR_CONTACT = `
  insert into contacts (seq, id, workspace, email, subscribed, data, created_at, updated_at)
  values (99, 'theirs', 1, 'theirs@example.com', 1, '{}', '', '')`;

function faultOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Every row of every table of the target. */
async function everything(sql: SQL): Promise<string> {
  const tables =
    await sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`;
  const rows = [];
  for (const { name } of tables) rows.push(name, await sql.unsafe(`select t::text from "${name}" t order by 1`));
  return JSON.stringify(rows);
}

async function count(sql: SQL, table: string): Promise<number> {
  return Number((await sql.unsafe(`select count(*) as n from "${table}"`))[0].n);
}

function startedOn(url: string, { dataDir }: Installation) {
  return startOn(url, { dataDir, clock: new TestClock(STOPPED_AT) });
}

inPostgres("a copy", () => {
  test("answers the same about everything, and sends what is still queued", async () => {
    const [from, { url }] = [source(), await target()];
    await migrate(from, url);
    await using posthorn = await startedOn(url, from);
    expect(await allAnswers(posthorn, from.secretKey)).toEqual(from.answers);
    await posthorn.settle();
    expect(posthorn.transport.recipients.sort()).toEqual(
      ["cy", "dee", "eve", "fay"].map((name) => `${name}@example.com`),
    );
  });

  test("knows the idempotency keys that were used", async () => {
    const [from, { url }] = [source(), await target()];
    await migrate(from, url);
    await using posthorn = await startedOn(url, from);
    const mail = { from: "Shop <hello@example.test>", subject: "Hi {{ name }}", body: "<p>Hello {{ name }}</p>" };
    const headers = { authorization: `Bearer ${from.secretKey}`, "idempotency-key": "A" };
    const again = await posthorn.call("POST /v1/send", { ...mail, to: "dee@example.com" }, headers);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    const other = await posthorn.call("POST /v1/send", { ...mail, to: "zoe@example.com" }, headers);
    expect(other.body.error.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  test("gives no number to a second row, not even that of a row that is gone", async () => {
    const [from, { url, sql }] = [source(), await target()];
    await migrate(from, url);
    await using posthorn = await startedOn(url, from);
    const mail = { from: "hello@example.test", to: "new@example.com", subject: "s", body: "b" };
    await posthorn.call("POST /v1/send", mail, { authorization: `Bearer ${from.secretKey}` });
    const database = new Database(from.path, { readonly: true });
    const last = database.query(
      "select name, seq from sqlite_sequence where name in ('contacts', 'contents', 'emails')",
    );
    for (const { name, seq } of last.all() as { name: string; seq: number }[]) {
      const [row] = await sql.unsafe(`select max(seq) as seq from "${name}"`);
      expect([name, Number(row.seq)]).toEqual([name, seq + 1]);
    }
    database.close();
  });

  test("leaves the source as it was", async () => {
    const [from, { url }] = [source(), await target()];
    const before = readFileSync(from.path);
    await migrate(from, url);
    expect(readFileSync(from.path).equals(before)).toBe(true);
  });

  test("reads what a crash has left in the log of the source", async () => {
    const [from, { url, sql }] = [source(), await target()];
    const crashed = new Database(from.path);
    crashed.run("update contacts set email = 'late@example.com' where seq = 1");
    await migrate(from, url);
    crashed.close();
    expect((await sql`select email from contacts where seq = 1`)[0].email).toBe("late@example.com");
  });

  test("goes into a database without any table", async () => {
    const [from, { url, sql }] = [source(), await target()];
    await sql`drop schema public cascade`;
    await sql`create schema public`;
    const { migrated } = await migrate(from, url);
    expect(migrated.tables.map(({ difference }) => difference)).toEqual(migrated.tables.map(() => null));
    expect(await count(sql, "emails")).toBe(7);
  });

  test("is compared in the order of bytes, however the target orders text", async () => {
    const [from, { url, sql }] = [source(), await target()];
    await sql`alter table idempotency_keys alter column key type text collate "en-x-icu"`;
    const rows = await sql`select key from (values ('A'), ('a'), ('B')) as k (key) order by key collate "en-x-icu"`;
    expect(rows.map((row: { key: string }) => row.key)).toEqual(["a", "A", "B"]);
    const { migrated } = await migrate(from, url);
    expect(migrated.tables.find(({ table }) => table === "idempotency_keys")).toMatchObject({
      rows: 3,
      difference: null,
    });
  });

  test("keeps everybody else from writing to the source until it ends", async () => {
    const [from, { url }] = [source(), await target()];
    const other = new Database(from.path);
    const tried: unknown[] = [];
    const onStep = () => tried.push(faultOf(() => other.run("update contacts set updated_at = ''")));
    await migrateStore({ from: from.path, to: url, clock: new TestClock(STOPPED_AT), onStep });
    other.close();
    expect(new Set(tried)).toEqual(new Set(["database is locked"]));
  });

  test("has statistics, so that its first statements are planned by them", async () => {
    const [from, { url, sql }] = [source(), await target()];
    await migrate(from, url);
    expect((await sql`select reltuples from pg_class where relname = 'emails'`)[0].reltuples).toBe(7);
  });

  test("of two into the same database at once is made once", async () => {
    const { url } = await target();
    const ends = await Promise.allSettled([migrate(source(), url, { rows: 1 }), migrate(source(), url, { rows: 1 })]);
    const reasons = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
    expect(reasons).toEqual([expect.stringMatching(/Another migrate-store is filling|did not come from this copy/)]);
    expect((await migrate(source(), url)).migrated).toMatchObject({ wasComplete: true });
  });

  test("leaves nothing in the target that tells of it", async () => {
    const { url, sql } = await target();
    const tables = () => sql`select table_name from information_schema.tables where table_schema = 'public' order by 1`;
    const before = await tables();
    await migrate(source(), url);
    expect([...(await tables())]).toEqual([...before]);
  });
});

inPostgres("the command", () => {
  const run = (from: Installation, url: string, ...words: string[]) =>
    posthornCli(["migrate-store", "--from", from.path, "--to", url, ...words]);

  test("shows counts and checksums table by table, and says what to do next", async () => {
    const [from, { url }] = [source(), await target()];
    const { code, out, err } = await run(from, url);
    expect(code).toBe(0);
    expect(out).toMatch(/^emails +7 +[0-9a-f]{64}$/m);
    expect(out).toMatch(/^The copy is complete and equals the source: \d+ tables, \d+ rows\.$/m);
    expect(out).toContain("Set database.url of every node");
    expect(out).toContain(`Set secrets.key of every node: the content of ${from.dataDir}/secret.key`);
    expect(out).toContain(`Keep ${from.path} as a backup`);
    expect(err).toMatch(/^emails: copied 7 of 7 rows \(100 %\), [\d,]+ rows a second$/m);
    expect(err).toMatch(/^emails: checked 7 of 7 rows/m);
  });

  test("prints a record for programs, the same at every run", async () => {
    const from = source();
    const first = await run(from, (await target()).url, "--json");
    const second = await run(from, (await target()).url, "--json");
    expect(JSON.parse(first.out)).toEqual(JSON.parse(second.out));
    expect(JSON.parse(first.out)).toContainEqual({
      table: "emails",
      rows: 7,
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(first.err).toContain("What to do next");
  });

  test("takes the target from the configuration, so that no password stands on the command line", async () => {
    const [from, { url, sql }] = [source(), await target()];
    const { code } = await posthornCli(["migrate-store", "--from", `sqlite:${from.path}`], {
      POSTHORN_DATABASE_URL: url,
    });
    expect([code, await count(sql, "emails")]).toEqual([0, 7]);
  });

  test("run again only compares, and says so", async () => {
    const [from, { url, sql }] = [source(), await target()];
    const first = await run(from, url, "--json");
    const before = await everything(sql);
    const { code, out, err } = await run(from, url);
    expect([code, out]).toEqual([0, expect.stringContaining("The copy was complete already. It still equals")]);
    expect(err).not.toContain("copied");
    expect(await everything(sql)).toBe(before);
    expect(JSON.parse((await run(from, url, "--json")).out)).toEqual(JSON.parse(first.out));
  });

  test("names a row that PostgreSQL does not take, and goes on once it is mended", async () => {
    const [from, { url }] = [
      source('update contacts set data = jsonb(\'{"a":"\\u0000"}\') where seq = 4'),
      await target(),
    ];
    const { code, err } = await run(from, url);
    expect([code, err]).toEqual([1, expect.stringMatching(/^contacts, seq 4: PostgreSQL refuses the row: .+$/m)]);
    expect(err).toContain("Run the same command again to continue.");
    changeSource(from, "update contacts set data = jsonb('{}') where seq = 4");
    expect((await run(from, url)).code).toBe(0);
  });
});

inPostgres("after an interruption", () => {
  test("at any batch, the next run goes on behind it", async () => {
    const [from, { url, sql }] = [source(), await target()];
    const uninterrupted = await migrate(from, (await target()).url);
    for (const step of copiedOf(uninterrupted.steps)) {
      const { steps, migrated } = await migrate(from, url, { stopAfter: 1 });
      expect(copiedOf(steps)).toEqual([step]);
      expect(migrated as unknown).toBe("The power is gone.");
    }
    const last = await migrate(from, url);
    expect(copiedOf(last.steps)).toEqual([]);
    expect(last.migrated).toEqual(uninterrupted.migrated);
    expect((await sql`select to_regclass('store_copies') as record`)[0].record).toBeNull();
  });

  test("batches of another size are fine", async () => {
    const [from, { url }] = [source(), await target()];
    await migrate(from, url, { stopAfter: 4, rows: 3 });
    const { migrated } = await migrate(from, url, { rows: 1000 });
    expect(migrated).toEqual((await migrate(from, (await target()).url)).migrated);
  });

  test("no Posthorn starts on half a store", async () => {
    const [from, { url, sql }] = [source(), await target()];
    await migrate(from, url, { stopAfter: 3 });
    const before = await everything(sql);
    await expect(startedOn(url, from)).rejects.toThrow("an incomplete copy of a store");
    expect(await everything(sql)).toBe(before);
  });

  test.each([
    ["another installation", "update workspaces set id = 'other'", "workspaces"],
    [
      "the same after a mail was sent from it",
      "update contacts set updated_at = '2026-03-01T10:00:00.000Z' where seq = 2",
      "contacts",
    ],
    ["the same with less in it", "delete from contacts where seq = 2", "contacts"],
  ])("a source that is %s is refused", async (_, change, table) => {
    const { url, sql } = await target();
    await migrate(source(), url, { stopAfter: 9 });
    const before = await everything(sql);
    const other = source(`pragma foreign_keys = off; ${change}`);
    await expect(migrate(other, url)).rejects.toThrow(`has been used since: ${table} differs. Nothing was changed.`);
    expect(await everything(sql)).toBe(before);
  });
});

inPostgres("rows that did not come from the copy", () => {
  test("are refused where another Posthorn has used the target", async () => {
    const { url, sql } = await target();
    const other = await startOn(url, { dataDir: source().dataDir });
    await other.call("POST /contacts", { email: "theirs@example.com" });
    await other[Symbol.asyncDispose]();
    const before = await everything(sql);
    await expect(migrate(source(), url)).rejects.toThrow(
      /did not come from this copy, or has been used since the copy was complete: workspaces: seq 1 differs in .*Nothing was changed/,
    );
    expect(await everything(sql)).toBe(before);
  });

  test("are refused where there is one in one table only", async () => {
    const { url, sql } = await target();
    await sql`insert into pacers (name, next_at_ms) values ('theirs', 0)`;
    await expect(migrate(source(), url)).rejects.toThrow("did not come from this copy");
    expect(await count(sql, "pacers")).toBe(2);
    expect(await count(sql, "workspaces")).toBe(0);
  });

  test("are refused where they came while the copy was interrupted", async () => {
    const [from, { url, sql }] = [source(), await target()];
    await migrate(from, url, { stopAfter: 1 });
    await sql.unsafe(THEIR_CONTACT);
    const before = await everything(sql);
    await expect(migrate(from, url)).rejects.toThrow(
      "The table contacts of the target contains rows that did not come from this copy",
    );
    expect(await everything(sql)).toBe(before);
  });

  test("are refused where they came after the copy was complete", async () => {
    const [from, { url, sql }] = [source(), await target()];
    await migrate(from, url);
    await sql.unsafe(THEIR_CONTACT);
    const { code, err } = await posthornCli(["migrate-store", "--from", from.path, "--to", url]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("contacts: seq 99 is only in the target. Nothing was changed."),
    ]);
    expect(err).not.toContain("to continue");
  });

  test("are refused where the copy has been in use", async () => {
    const [from, { url, sql }] = [source(), await target()];
    await migrate(from, url);
    {
      await using posthorn = await startedOn(url, from);
      await posthorn.settle();
    }
    const before = await everything(sql);
    await expect(migrate(from, url)).rejects.toThrow(
      /has been used since the copy was complete: installation: one 1 differs in clock_seen_at/,
    );
    expect(await everything(sql)).toBe(before);
  });

  test("are refused in a store of a newer version, which stays as it is", async () => {
    const { url, sql } = await target();
    await sql.unsafe(
      "insert into schema_versions (version, name, applied_at, fingerprint) values (9999, 'made_up', '', '')",
    );
    const before = await everything(sql);
    await expect(migrate(source(), url)).rejects.toThrow("a newer Posthorn has used it");
    expect(await everything(sql)).toBe(before);
  });

  test("are refused in a store of an older version, which stays as it is", async () => {
    const { url, sql } = await target();
    const before = await everything(sql);
    const version = MIGRATIONS.length;
    const from = source(
      `insert into schema_versions (version, name, applied_at, fingerprint) values (${version + 1}, 'made_up', '', '')`,
    );
    clean.push(knowOneMore());
    await expect(migrate(from, url)).rejects.toThrow(`The target contains a store of version ${version}`);
    expect(await everything(sql)).toBe(before);
  });
});

inPostgres("a row of the target that was tampered with is found:", () => {
  const cases: readonly [what: string, statement: string, difference: string][] = [
    [
      "another address",
      "update contacts set email = 'eve@evil.example' where seq = 1",
      "contacts: seq 1 differs in email",
    ],
    [
      "another value deep in JSON",
      `update contacts set data = jsonb_set(data::jsonb, '{nested,zebra,6,deep}', '"u"') where seq = 1`,
      "contacts: seq 1 differs in data",
    ],
    [
      "one byte of an attachment",
      "update attachments set bytes = set_byte(bytes, 2, 7) where position = 0",
      "attachments: content 1, position 0 differs in bytes",
    ],
    ["two columns", "update templates set name = 'x', text = 'y'", "templates: seq 1 differs in name, text"],
    [
      "a row with another number",
      "update email_attempts set number = 9 where email = 3",
      'email_attempts: email 3, number 1, at "2026-03-01T09:00:00.000Z" is not in the target',
    ],
    [
      "a row with a smaller number",
      // Past the foreign key of what is kept about the answer.
      "begin; set local session_replication_role = replica; update idempotency_keys set key = 'AA' where key = 'a'; commit",
      'idempotency_keys: workspace 1, route "POST /v1/send", key "AA" is only in the target',
    ],
    [
      "the moment of the next slot",
      "update pacers set next_at_ms = next_at_ms + 0.125",
      'pacers: name "outgoing" differs in next_at_ms',
    ],
  ];

  test.each(cases)("%s", async (_, statement, difference) => {
    const [from, { url, sql }] = [source(), await target()];
    await migrate(from, url, { stopAfter: "copied" });
    await sql.unsafe(statement);
    const { code, out, err } = await posthornCli(["migrate-store", "--from", from.path, "--to", url]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`The copy differs from the source:\n  ${difference}\n`);
    await expect(startedOn(url, from)).rejects.toThrow("an incomplete copy of a store");
  });
});
