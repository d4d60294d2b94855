// `bun bench/import.ts`: contacts imported and exported in a second, and what the server's other callers notice of it.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { machine } from "./machine.ts";
import { measureImport } from "./measure-import.ts";
import { isMet, machineLine, ratioOf, table } from "./report.ts";

const HELP = `bun bench/import.ts [--rows 1000000] [--database postgres://…] [--binary dist/posthorn] [--dir DIR] [--json]

  --rows      contacts in the file
  --database  an empty PostgreSQL database instead of SQLite
  --binary    the server is this program instead of src/main.ts
  --dir       where to put data: a real disk (default: data/ in the project)
  --json      figures as JSON`;

const { values: options } = parseArgs({
  options: {
    rows: { type: "string" },
    database: { type: "string" },
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
    const rows = Number(options.rows ?? 1_000_000);
    const measured = await measureImport({ command, dir, rows, database: options.database ?? null });
    const withRatios = measured.map((figure) => ({ ...figure, ratio: ratioOf(figure), met: isMet(figure) }));
    if (options.json) console.log(JSON.stringify({ machine: facts, figures: withRatios }, null, 2));
    else console.log(`${machineLine(facts)}\n\n${table(measured)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

await main();
