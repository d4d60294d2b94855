// Accepting mail on two servers in turn: one of them prunes, is compacted, or has a file that can shrink. The other
// stands still meanwhile.
import { Database } from "bun:sqlite";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { cpuSeconds, figuresOf, inTurn, type Place } from "./in-turn.ts";
import { stockOldMails } from "./old-mails-stock.ts";
import type { Figure } from "./report.ts";
import { prepareInstallation, ServerProcess, type Environment } from "./server-process.ts";
import { PAGE_BYTES } from "../../src/store/sqlite/connection.ts";

const GOAL = { ratioAtLeast: 0.97 };

const FOREVER: Environment = {
  POSTHORN_RETENTION_MAIL_DAYS: "0",
  POSTHORN_RETENTION_BODY_DAYS: "0",
  POSTHORN_RETENTION_EVENT_DAYS: "0",
  POSTHORN_RETENTION_INBOUND_DAYS: "0",
  POSTHORN_RETENTION_ATTEMPT_DAYS: "0",
};
const TEXTS: Environment = { ...FOREVER, POSTHORN_RETENTION_BODY_DAYS: "31" };
const MAILS: Environment = { ...FOREVER, POSTHORN_RETENTION_MAIL_DAYS: "31" };
const EVENTS: Environment = { ...FOREVER, POSTHORN_RETENTION_EVENT_DAYS: "31" };

export async function measureRetention(bench: Bench, mails: number): Promise<Figure[]> {
  return [
    ...(await withFileThatShrinks(bench)),
    ...(await whilePruning(bench, mails, { name: "texts", env: TEXTS })),
    ...(await whilePruning(bench, mails, { name: "events", env: EVENTS })),
    // What they said is gone already, as it is where texts are kept for less time.
    ...(await whilePruning(bench, mails, { name: "mails", env: MAILS, kind: "bodies" })),
    ...(await whileCompacting(bench, mails)),
  ];
}

type Pruning = { readonly name: string; readonly env: Environment; /** Done already. */ readonly kind?: string };

async function whilePruning(bench: Bench, mails: number, { name, env, kind }: Pruning): Promise<Figure[]> {
  const [pruning, keeping] = [join(bench.dir, `${name}-pruning`), join(bench.dir, `${name}-keeping`)];
  for (const dir of [pruning, keeping]) {
    await prepareInstallation(bench.command, dir);
    stockOldMails(dir, mails, kind ?? null);
  }
  const quiet = await byItself(bench, { dir: pruning, env }, name, mails);
  const before = left(pruning, name, mails);
  const startedMs = performance.now();
  const rates = await inTurn(bench, { dir: pruning, env }, { dir: keeping, env: FOREVER });
  const seconds = (performance.now() - startedMs) / 1000 / 2;
  const gone = before - left(pruning, name, mails);
  if (gone <= 0 || gone >= before * 0.999) throw new Error(`${gone} of ${before} ${name} were pruned: too few or all`);
  const note = "limit: nothing is old";
  return [
    ...figuresOf(`accept while ${name} are pruned`, rates, GOAL, note),
    { name: `${name} pruned meanwhile`, unit: "a second", ours: gone / seconds },
    ...quiet,
  ];
}

const QUIET_MS = 6_000;

/** What pruning costs a server that has nothing else to do. */
async function byItself(bench: Bench, { dir, env }: Place, name: string, mails: number): Promise<Figure[]> {
  await using server = await ServerProcess.start(bench.command, dir, env);
  const [before, cpuBefore, startedMs] = [left(dir, name, mails), cpuSeconds(server), performance.now()];
  await Bun.sleep(QUIET_MS);
  const cpu = cpuSeconds(server) - cpuBefore;
  const seconds = (performance.now() - startedMs) / 1000;
  const gone = before - left(dir, name, mails);
  return [
    { name: `${name} pruned by a quiet server`, unit: "a second", ours: gone / seconds },
    { name: "  its share of one processor", unit: "%", ours: (cpu / seconds) * 100, goal: { atMost: 10 } },
    { name: "  processor time of a thousand", unit: "ms", ours: (cpu / gone) * 1_000_000 },
  ];
}

const LEFT: Readonly<Record<string, string>> = {
  texts: "select count(*) as rows from contents where body_gone_at is null and seq <= ?",
  events: "select count(*) as rows from events where seq <= 2 * ?",
  mails: "select count(*) as rows from emails where seq <= ?",
};

/** Of the old ones. */
function left(dir: string, what: string, mails: number): number {
  using database = new Database(join(dir, "posthorn.db"));
  return (database.query(LEFT[what] as string).get(mails) as { rows: number }).rows;
}

/** Half of the rows are gone; the limit is the same file before. */
async function whileCompacting(bench: Bench, mails: number): Promise<Figure[]> {
  const [compacted, still] = [join(bench.dir, "compacted"), join(bench.dir, "still")];
  for (const dir of [compacted, still]) {
    await prepareInstallation(bench.command, dir);
    stockOldMails(dir, mails, null);
    using database = new Database(join(dir, "posthorn.db"));
    database.run("delete from events; update contents set html = ''");
  }
  const file = join(compacted, "posthorn.db");
  const bytes = statSync(file).size;
  const compacting = async () => {
    const env = { ...process.env, POSTHORN_DATA_DIR: compacted };
    await Bun.spawn([...bench.command, "compact"], { cwd: compacted, env, stdout: "ignore" }).exited;
  };
  const startedMs = performance.now();
  let tookMs = 0;
  const done = Bun.sleep(500)
    .then(compacting)
    .then(() => (tookMs = performance.now() - startedMs));
  const rates = await inTurn(bench, { dir: compacted, env: FOREVER }, { dir: still, env: FOREVER });
  await done;
  return [
    ...figuresOf(
      "accept while the file is compacted",
      rates,
      { ratioAtLeast: 0.8 },
      "limit: the same file, left alone",
    ),
    {
      name: "given back",
      unit: "MB",
      ours: (bytes - statSync(file).size) / 1024 / 1024,
      note: `in ${(tookMs / 1000).toFixed(0)} s`,
    },
  ];
}

/** What it costs to keep track of what refers to which page. */
async function withFileThatShrinks(bench: Bench): Promise<Figure[]> {
  const [shrinks, plain] = [join(bench.dir, "shrinks"), join(bench.dir, "plain")];
  for (const dir of [shrinks, plain]) mkdirSync(dir);
  using database = new Database(join(plain, "posthorn.db"), { create: true });
  database.run(`pragma page_size = ${PAGE_BYTES}; pragma journal_mode = wal; create table t (a text); drop table t`);
  database.close();
  const rates = await inTurn(bench, { dir: shrinks, env: FOREVER }, { dir: plain, env: FOREVER });
  return figuresOf("accept into a file that shrinks in steps", rates, GOAL, "limit: a file that does not");
}
