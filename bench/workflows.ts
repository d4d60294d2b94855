// `bun bench/workflows.ts`: events that start workflows, steps that fall due together, webhooks, each beside its goal.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { machine } from "./machine.ts";
import { measureWorkflows } from "./measure-workflows.ts";
import { isMet, machineLine, ratioOf, table } from "./report.ts";

const HELP = `bun bench/workflows.ts [--executions 100000] [--quick] [--binary dist/posthorn] [--dir DIR] [--json]

  --executions  how many wait, and fall due together
  --quick       one short pass over 5,000
  --binary      the server is this program instead of src/main.ts
  --dir         where to put data: a real disk (default: data/ in the project)
  --json        figures as JSON`;

const { values: options } = parseArgs({
  options: {
    executions: { type: "string" },
    quick: { type: "boolean" },
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
  const pace = options.quick ? { passes: 1, seconds: 1 } : { passes: 3, seconds: 3 };
  const executions = Number(options.executions ?? (options.quick ? 5_000 : 100_000));
  try {
    const facts = machine(dir);
    const measured = await measureWorkflows({ command, dir, executions, ...pace });
    const withRatios = measured.map((figure) => ({ ...figure, ratio: ratioOf(figure), met: isMet(figure) }));
    if (options.json) console.log(JSON.stringify({ machine: facts, figures: withRatios }, null, 2));
    else console.log(`${machineLine(facts)}\n\n${table(measured)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

await main();
