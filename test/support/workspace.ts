// A workspace to test in, on a server that all tests of a file share: each finds its server as if it had just started.
// What needs another configuration, another clock or a restart takes a server of its own (posthorn.ts).
import { DAY_MS } from "../../src/base/clock.ts";
import type { Reader, Tx } from "../../src/store/store.ts";
import { literal, sql, type Sql } from "../../src/store/sql.ts";
import { atTheEnd } from "./file-end.ts";
import { Posthorn, startPosthorn } from "./posthorn.ts";
import { addFirstWorkspace } from "./workspaces.ts";

export type WorkspaceOptions = {
  /** Opens and clicks are looked for, as they are by default. */
  readonly tracking?: boolean;
};

/** The server of the file that runs. */
let house: { readonly file: string; readonly posthorn: Posthorn; readonly untouched: string } | null = null;
let isLent = false;

/** Workspace "default", its keys and the verified domain example.test. A second one at once gets a server of its own. */
export async function workspace({ tracking = false }: WorkspaceOptions = {}): Promise<Posthorn> {
  if (isLent) return startPosthorn({ tracking });
  isLent = true;
  try {
    const posthorn = (await houseOf(Bun.main)).posthorn;
    posthorn.clock.startOver(DAY_MS);
    posthorn.transport.startOver();
    posthorn.logLines.splice(0);
    const keys = await addFirstWorkspace(posthorn, tracking);
    if (keys === null) throw new Error("The test before has left a workspace.");
    return new LentPosthorn(posthorn, keys);
  } catch (error) {
    isLent = false;
    throw error;
  }
}

atTheEnd(endHouse);

async function endHouse(): Promise<void> {
  const last = house;
  house = null;
  await last?.posthorn.end();
}

async function houseOf(file: string): Promise<NonNullable<typeof house>> {
  if (house?.file === file) return house;
  await endHouse();
  const posthorn = await startPosthorn();
  await posthorn.store.write(sweep);
  return (house = { file, posthorn, untouched: await posthorn.store.read(installationIn) });
}

class LentPosthorn extends Posthorn {
  constructor({ server, clock, transport, secrets, logLines, dataDir }: Posthorn, keys: Posthorn["keys"]) {
    super(server, clock, transport, secrets, keys, logLines, dataDir, true);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    isLent = false;
    let isAsBefore = false;
    try {
      await this.expectSound();
      isAsBefore = (await this.store.read(installationIn)) === house?.untouched && !this.clock.hasJumped;
      if (isAsBefore) await this.store.write(sweep);
    } finally {
      // What a server has learned of its installation it may remember.
      if (!isAsBefore) await endHouse();
    }
  }
}

/** What belongs to no workspace, and a server may remember. */
const OF_THE_INSTALLATION = [
  "pacers",
  "brakes",
  "streams",
  "ways",
  "way_rules",
  "way_domains",
  "warmups",
  "warmup_mailboxes",
  "link_hosts",
  "backups",
  "troubles",
  "alerts",
];

/** In a text that is another one once something has changed. */
async function installationIn(reader: Reader): Promise<string> {
  const rows = [
    await reader.all`
      select held_at, served_by, clock_doubted_at, rules_saved_at, returned_at from installation`,
  ];
  for (const table of OF_THE_INSTALLATION) rows.push(await reader.all`select * from ${literal(table)}`);
  return JSON.stringify(rows);
}

const KEPT: ReadonlySet<string> = new Set(["installation", "schema_versions", "pacers"]);

/** Deletes all rows but those of a new installation. Numbers go on, so nothing that is remembered by one is found again. */
async function sweep(tx: Tx): Promise<void> {
  if (tx.dialect.name === "sqlite") await tx.run`pragma defer_foreign_keys = on`;
  else await tx.run`set local session_replication_role = replica`;
  for (const { table } of await tx.all<{ readonly table: string }>`${await filledOf(tx)}`)
    await tx.run`delete from ${literal(table)}`;
  await tx.run`update installation set clock_seen_at = null`;
}

let filled: Sql | null = null;

/** Asks which tables have rows. SQLite keeps its index of words by itself. */
async function filledOf(reader: Reader): Promise<Sql> {
  if (filled !== null) return filled;
  const names =
    reader.dialect.name === "sqlite"
      ? sql`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'contacts_sought%'
          and name <> 'contacts_trigrams'`
      : sql`select tablename as name from pg_tables where schemaname = 'public'`;
  const tables = (await reader.all<{ readonly name: string }>`${names}`).filter(({ name }) => !KEPT.has(name));
  const asked = tables.map(({ name }) => `select '${name}' as "table" where exists (select 1 from ${name})`);
  return (filled = literal(asked.join(" union all ")));
}
