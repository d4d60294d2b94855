// `bun bench/segments.ts`: how long segments of many contacts take, and what the server's other callers notice of it.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { machine } from "./machine.ts";
import { measureSegments } from "./measure-segments.ts";
import { isMet, machineLine, ratioOf, table } from "./report.ts";

const HELP = `bun bench/segments.ts [--contacts 1000000] [--binary dist/posthorn] [--dir DIR] [--json]

  --contacts  that the workspace has
  --binary    the server is this program instead of src/main.ts
  --dir       where to put data: a real disk (default: data/ in the project)
  --json      figures as JSON`;

const { values: options } = parseArgs({
  options: {
    contacts: { type: "string" },
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
  try {
    const facts = machine(dir);
    const contacts = Number(options.contacts ?? 1_000_000);
    const measured = await measureSegments({ command, dir, contacts });
    const withRatios = measured.map((figure) => ({ ...figure, ratio: ratioOf(figure), met: isMet(figure) }));
    if (options.json) console.log(JSON.stringify({ machine: facts, figures: withRatios }, null, 2));
    else console.log(`${machineLine(facts)}\n\n${table(measured)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

await main();
