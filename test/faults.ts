// What a server may meet, one after the other, with a table at the end: `bun test/faults.ts [--only disk,relay] [--seed
// N]`.
import { parseArgs } from "node:util";
import { CLOCKS } from "./faults/clocks.ts";
import { DATABASE } from "./faults/database.ts";
import { DISK } from "./faults/disk.ts";
import type { Fault } from "./faults/fault.ts";
import type { Found } from "./faults/ground.ts";
import { RELAYS } from "./faults/relays.ts";
import { RESOURCES } from "./faults/resources.ts";

const ALL: readonly Fault[] = [...DISK, ...RESOURCES, ...CLOCKS, ...RELAYS, ...DATABASE];
const HEAD = ["fault", "accepted", "503", "no answer", "arrived", "twice", "back after", "", ""];
const MOST_FAULTS_SHOWN = 20;
const MOST_LETTERS = 80;

type Row = { readonly cells: readonly string[]; readonly faults: readonly string[] };

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: "string" }, seed: { type: "string", default: "1" } } });
  const [words, seed] = [values.only?.split(","), Number(values.seed)];
  if (!Number.isInteger(seed)) throw new Error("--seed takes a whole number.");
  const chosen = ALL.filter(({ name }) => words === undefined || words.some((word) => name.includes(word)));
  if (chosen.length === 0) throw new Error(`--only takes words of: ${ALL.map(({ name }) => name).join("; ")}.`);
  const rows: Row[] = [];
  for (const fault of chosen) {
    console.error(`${fault.name} …`);
    rows.push(await rowOf(fault, seed));
  }
  console.log(table([HEAD, ...rows.map(({ cells }) => cells)]));
  for (const { cells, faults } of rows)
    for (const one of faults.slice(0, MOST_FAULTS_SHOWN)) console.log(`${cells[0]}: ${one}`);
  return rows.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

async function rowOf({ name, without, play }: Fault, seed: number): Promise<Row> {
  const reason = without?.() ?? null;
  if (reason !== null) return { cells: [name, "", "", "", "", "", "", "skipped", reason], faults: [] };
  const found = await play(seed).catch((error) => String(error));
  if (typeof found === "string") return { cells: [name, "", "", "", "", "", "", "FAULT"], faults: [found] };
  return { cells: [name, ...cellsOf(found)], faults: found.faults };
}

function cellsOf({ accepted, refused, unanswered, arrivals, duplicates, backMs, note, faults }: Found): string[] {
  const counts = [accepted, refused, unanswered, arrivals, duplicates].map(String);
  const verdict = faults.length === 0 ? "kept" : `${faults.length} FAULTS`;
  return [...counts, `${(backMs / 1000).toFixed(1)} s`, verdict, note.split("\n")[0]?.slice(0, MOST_LETTERS) ?? ""];
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const padded = (cell: string, column: number) =>
    column === 0 || column > 6 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(padded).join("  ").trimEnd()).join("\n");
}

if (import.meta.main) process.exit(await main());
