// `bun bench/send.ts`: what Posthorn does in a second on this machine, each figure beside its limit and its goal.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Bench } from "./bench.ts";
import { machine } from "./machine.ts";
import { measureAccept } from "./measure-accept.ts";
import { measureBoth } from "./measure-both.ts";
import { measureDrain } from "./measure-drain.ts";
import { measureEngines } from "./measure-engines.ts";
import { measureRate } from "./measure-rate.ts";
import { measureSoak } from "./measure-soak.ts";
import { measureBigStart, measureStart } from "./measure-start.ts";
import { isMet, machineLine, ratioOf, table, type Figure } from "./report.ts";

const HELP = `bun bench/send.ts [--quick] [--only start,accept,send,both] [--rate [--minutes 5]] [--big] [--soak] [--engines URL]
                  [--binary dist/posthorn] [--dir DIR] [--json]

  --quick    one short pass of each
  --only     some of the measurements: start, accept, send, both
  --rate     the rate of 14 mails a second instead, for a minute or --minutes, across a kill -9
  --big      the start with a million mails stored instead
  --soak     memory over 200,000 mails accepted and sent instead
  --engines  SQLite and PostgreSQL side by side instead; URL is a PostgreSQL server on which databases may be made
  --binary   the server is this program instead of src/main.ts
  --dir      where to put data: a real disk (default: data/ in the project)
  --json     figures as JSON`;

const FLAGS = {
  quick: { type: "boolean" },
  rate: { type: "boolean" },
  big: { type: "boolean" },
  soak: { type: "boolean" },
} as const;
const TEXTS = {
  only: { type: "string" },
  minutes: { type: "string" },
  engines: { type: "string" },
  binary: { type: "string" },
  dir: { type: "string" },
} as const;
const { values: options } = parseArgs({
  options: { ...FLAGS, ...TEXTS, json: { type: "boolean" }, help: { type: "boolean" } },
});
const root = resolve(import.meta.dir, "..");

async function figures(bench: Bench): Promise<Figure[]> {
  if (options.rate) return measureRate(bench, Number(options.minutes ?? 1) * 60);
  if (options.engines) return measureEngines(bench, options.engines);
  if (options.big) return measureBigStart(bench);
  if (options.soak) return measureSoak(bench);
  const wanted = (options.only ?? "start,accept,send,both").split(",");
  const start = wanted.includes("start") ? await measureStart(bench) : [];
  const accept = wanted.includes("accept") ? await measureAccept(bench) : [];
  const send = wanted.includes("send") ? await measureDrain(bench) : [];
  const alone = {
    acceptPerSecond: oursIn(accept, "accept, 64 connections"),
    sendPerSecond: oursIn(send, "send, 50 connections, signed"),
  };
  const both = wanted.includes("both") ? await measureBoth(bench, alone) : [];
  return [...start, ...accept, ...send, ...both];
}

function oursIn(measured: readonly Figure[], name: string): number | null {
  return measured.find((figure) => figure.name === name)?.ours ?? null;
}

async function main(): Promise<void> {
  if (options.help) return console.log(HELP);
  const parent = resolve(options.dir ?? join(root, "data"));
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, "bench-"));
  const command = options.binary ? [resolve(options.binary)] : [process.execPath, join(root, "src/main.ts")];
  const pace = options.quick ? { passes: 1, seconds: 2 } : { passes: 3, seconds: 1.2 };
  try {
    const facts = machine(dir);
    const measured = await figures({ command, dir, ...pace });
    const withRatios = measured.map((figure) => ({ ...figure, ratio: ratioOf(figure), met: isMet(figure) }));
    if (options.json) console.log(JSON.stringify({ machine: facts, figures: withRatios }, null, 2));
    else console.log(`${machineLine(facts)}\n\n${table(measured)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

await main();
