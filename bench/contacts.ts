// `bun bench/contacts.ts`: a workspace with a million contacts, each figure beside its limit and its goal.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { machine } from "./machine.ts";
import { measureContacts } from "./measure-contacts.ts";
import { isMet, machineLine, ratioOf, table } from "./report.ts";

const HELP = `bun bench/contacts.ts [--quick] [--count 1000000] [--binary dist/posthorn] [--dir DIR] [--json]

  --quick    100,000 contacts and one short pass of each
  --count    so many contacts
  --binary   the server is this program instead of src/main.ts
  --dir      where to put data: a real disk (default: data/ in the project)
  --json     figures as JSON`;

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean" },
    count: { type: "string" },
    binary: { type: "string" },
    dir: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});
const root = resolve(import.meta.dir, "..");

async function main(): Promise<void> {
  if (options.help) return console.log(HELP);
  const parent = resolve(options.dir ?? join(root, "data"));
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, "bench-"));
  const command = options.binary ? [resolve(options.binary)] : [process.execPath, join(root, "src/main.ts")];
  const pace = options.quick ? { passes: 1, seconds: 1 } : { passes: 3, seconds: 2 };
  const count = Number(options.count ?? (options.quick ? 100_000 : 1_000_000));
  try {
    const facts = machine(dir);
    const figures = await measureContacts({ command, dir, ...pace }, count);
    const withRatios = figures.map((figure) => ({ ...figure, ratio: ratioOf(figure), met: isMet(figure) }));
    if (options.json) console.log(JSON.stringify({ machine: facts, count, figures: withRatios }, null, 2));
    else console.log(`${machineLine(facts)}\n${count.toLocaleString("en-US")} contacts\n\n${table(figures)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

await main();
