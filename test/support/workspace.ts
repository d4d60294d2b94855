// A workspace to test in, on a server that the tests of a process share: each finds it as if it had just started.
// What needs another clock, other parts or a restart takes a server of its own (posthorn.ts).
import { DAY_MS } from "../../src/base/clock.ts";
import type { Resolver } from "../../src/base/dns.ts";
import { literal, sql, type Sql } from "../../src/store/sql.ts";
import type { Reader, Tx } from "../../src/store/store.ts";
import { atTheEnd } from "./ends.ts";
import { freePort } from "./free-port.ts";
import { Posthorn, startPosthorn, type Changes, type Json, type StartOptions } from "./posthorn.ts";
import { TableResolver } from "./resolver.ts";
import { addFirstWorkspace } from "./workspaces.ts";

/** Of the configuration's section of SMTP: closed unless a test asks for them. */
type SmtpPort = "inboundPort" | "submissionPort" | "submissionsPort";

/** The resolver is one for a server whose configuration names no other. */
export type WorkspaceOptions = Pick<StartOptions, "config" | "tracking" | "resolver"> & {
  /** Those that are open; they are free ones. */
  readonly smtp?: readonly SmtpPort[];
};

/** Whether a server that others share will do. */
export function mayBeShared(options: StartOptions): boolean {
  return Object.keys(options).every((name) => ["config", "tracking", "resolver"].includes(name));
}

type House = {
  /** Its configuration. */
  readonly key: string;
  readonly ports: Readonly<Record<SmtpPort, number>>;
  readonly posthorn: Posthorn;
  /** What it knows of its installation. */
  readonly untouched: string;
  /** Of its file. */
  readonly pages: number;
  readonly resolver: { now: Resolver };
  /** Its functions, which a test may have replaced. */
  readonly store: readonly unknown[];
};

/** Some tests have each a configuration of its own. */
const MOST_HOUSES = 10;

/** The servers of this process, whatever file began them: the one that was used last at the end. */
const houses: House[] = [];
const lent = new Set<House>();

/** Workspace "default", its keys and the verified domain example.test. A second one at once has another server. */
export async function workspace(options: WorkspaceOptions = {}): Promise<LentPosthorn> {
  const { tracking, resolver = new TableResolver() } = options;
  const house = await lentHouse(options);
  try {
    const { posthorn } = house;
    house.resolver.now = resolver;
    posthorn.clock.startOver(DAY_MS);
    posthorn.transport.startOver();
    posthorn.logLines.splice(0);
    const keys = await addFirstWorkspace(posthorn, tracking);
    if (keys === null) throw new Error("The test before has left a workspace.");
    return new LentPosthorn(house, keys);
  } catch (error) {
    lent.delete(house);
    throw error;
  }
}

async function lentHouse({ config = {}, smtp = [] }: WorkspaceOptions): Promise<House> {
  const key = JSON.stringify([config, smtp]);
  const free = houses.filter((house) => !lent.has(house));
  const known = free.findLast((house) => house.key === key);
  if (known) houses.splice(houses.indexOf(known), 1);
  else if (houses.length >= MOST_HOUSES && free[0]) await endHouse(free[0]);
  const house = known ?? (await opened(key, { config, smtp }));
  houses.push(house);
  lent.add(house);
  return house;
}

type Opening = { readonly config: Changes; readonly smtp: readonly SmtpPort[] };

async function opened(key: string, { config, smtp }: Opening): Promise<House> {
  const resolver = { now: new TableResolver() as Resolver };
  const ports = { inboundPort: 0, submissionPort: 0, submissionsPort: 0 };
  for (const port of smtp) ports[port] = await freePort();
  const posthorn = await startPosthorn({
    config: { ...config, smtp: { ...ports, ...config.smtp } },
    resolver: { find: (name, type) => resolver.now.find(name, type), txt: (name) => resolver.now.txt(name) },
  });
  await posthorn.store.write(sweep);
  const untouched = await posthorn.store.read(installationIn);
  const pages = await posthorn.store.read(pagesIn);
  return { key, ports, posthorn, untouched, pages, resolver, store: Object.values(posthorn.store) };
}

atTheEnd(endHouses);

async function endHouses(): Promise<void> {
  for (const house of [...houses]) await endHouse(house);
}

async function endHouse(house: House): Promise<void> {
  houses.splice(houses.indexOf(house), 1);
  await house.posthorn.end();
}

class LentPosthorn extends Posthorn {
  constructor(
    private readonly house: House,
    keys: Posthorn["keys"],
  ) {
    const { server, clock, transport, secrets, logLines, dataDir } = house.posthorn;
    super(server, clock, transport, secrets, keys, logLines, dataDir, true);
  }

  /** 0 = closed. */
  get ports(): House["ports"] {
    return this.house.ports;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    let isAsBefore = false;
    try {
      await this.expectSound();
      isAsBefore = await this.#isAsBefore();
      if (isAsBefore) await this.store.write(sweep);
    } finally {
      // What a server has learned of its installation it may remember.
      if (!isAsBefore) await endHouse(this.house);
      lent.delete(this.house);
    }
  }

  async #isAsBefore(): Promise<boolean> {
    const { untouched, pages, store } = this.house;
    const isPatched = Object.values(this.store).some((part, at) => part !== store[at]);
    if (isPatched || this.clock.hasJumped || (await this.store.read(pagesIn)) > pages + MOST_PAGES) return false;
    return (await this.store.read(installationIn)) === untouched;
  }
}

/** To empty more of them, row by row, takes longer than another server. */
const MOST_PAGES = 500;

/** How many pages of the file are in use. On PostgreSQL nobody counts them. */
async function pagesIn(reader: Reader): Promise<number> {
  if (reader.dialect.name !== "sqlite") return 0;
  const used = await reader.get<{ readonly pages: number | bigint }>`
    select page_count - freelist_count as pages from pragma_page_count(), pragma_freelist_count()`;
  return Number(used?.pages);
}

/** What belongs to no workspace, and a server may remember. */
const OF_THE_INSTALLATION = [
  "pacers",
  "brakes",
  "backlogs",
  "ways",
  "way_rules",
  "way_domains",
  "way_tokens",
  "bounce_mailboxes",
  "kept_settings",
  "warmups",
  "warmup_mailboxes",
  "link_hosts",
  "backups",
  "troubles",
  "alerts",
].map((table) => literal(table));

const SHAPE = sql`
  select (select sum(relnatts) from pg_class where relnamespace = 'public'::regnamespace) as columns,
    (select count(*) from pg_trigger where not tgisinternal) as triggers`;

/** In a text that is another one once something has changed, the schema as well. */
async function installationIn(reader: Reader): Promise<string> {
  const [installation] = await reader.all<Json>`select * from installation`;
  // A server notes the time as it goes.
  const rows: unknown[] = [{ ...installation, clock_seen_at: null }];
  for (const table of OF_THE_INSTALLATION) rows.push(await reader.all`select * from ${table}`);
  rows.push(await reader.all`${reader.dialect.name === "sqlite" ? sql`pragma schema_version` : SHAPE}`);
  return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
}
const KEPT: ReadonlySet<string> = new Set(["installation", "schema_versions", "pacers"]);

/**
 * Deletes all rows but those of a new installation. Numbers go on, so nothing that is remembered by one is found again;
 * the workspace alone is number 1, as tests write it.
 */
async function sweep(tx: Tx): Promise<void> {
  const isSqlite = tx.dialect.name === "sqlite";
  if (isSqlite) await tx.run`pragma defer_foreign_keys = on`;
  else await tx.run`set local session_replication_role = replica`;
  for (const { table } of await tx.all<{ readonly table: string }>`${await filledOf(tx)}`)
    await tx.run`delete from ${literal(table)}`;
  if (isSqlite) await tx.run`update sqlite_sequence set seq = 0 where name = 'workspaces'`;
  else await tx.run`alter sequence workspaces_seq_seq restart`;
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
