// The frame of every `bun bench/….ts`: its options, a data directory for the time of the run, and its figures shown.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Ground } from "./bench.ts";
import { machine } from "./machine.ts";
import { isMet, machineLine, ratioOf, table, type Figure } from "./report.ts";

/** `value`: an example of what has to follow; without one it is a flag. */
type Option = { readonly value?: string; readonly help: string };
type Options = Readonly<Record<string, Option>>;
type Given<Own extends Options> = {
  readonly [Name in keyof Own]?: Own[Name] extends { readonly value: string } ? string : boolean;
};

export type Plan<Own extends Options> = {
  /** Beside those that every bench has. */
  readonly options: Own;
  readonly measure: (ground: Ground, options: Given<Own>) => Promise<readonly Figure[]>;
  /** How much of what all figures are about, if they have that in common. */
  readonly size?: (options: Given<Own>) => { readonly count: number; readonly of: string };
};

const COMMON = {
  binary: { value: "dist/posthorn", help: "the server is this program instead of src/whole/main.ts" },
  dir: { value: "DIR", help: "where to put data: a real disk (default: data/ in the project)" },
  json: { help: "figures as JSON" },
} as const;
const NARROWEST = 11;
const root = resolve(import.meta.dir, "../..");

/** Runs the bench that this process was started for. */
export async function runBench<const Own extends Options>(plan: Plan<Own>): Promise<void> {
  const all = { ...plan.options, ...COMMON };
  const { values } = parseArgs({ options: { ...parsed(all), help: { type: "boolean" } } });
  if (values["help"]) return console.log(helpOf(all));
  const given = values as Given<Own>;
  const { binary, dir: parent, json } = values as Given<typeof COMMON>;
  const dir = newDirectory(resolve(parent ?? join(root, "data")));
  try {
    const facts = machine(dir);
    const size = plan.size?.(given);
    const command = binary ? [resolve(binary)] : [process.execPath, join(root, "src/whole/main.ts")];
    const figures = await plan.measure({ command, dir }, given);
    const withRatios = figures.map((figure) => ({ ...figure, ratio: ratioOf(figure), met: isMet(figure) }));
    const about = size ? `\n${size.count.toLocaleString("en-US")} ${size.of}` : "";
    if (json) console.log(JSON.stringify({ machine: facts, count: size?.count, figures: withRatios }, null, 2));
    else console.log(`${machineLine(facts)}${about}\n\n${table(figures)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function parsed(options: Options): Record<string, { type: "string" | "boolean" }> {
  const types = Object.entries(options).map(([name, { value }]) => [name, { type: value ? "string" : "boolean" }]);
  return Object.fromEntries(types) as Record<string, { type: "string" | "boolean" }>;
}

function newDirectory(parent: string): string {
  // Posthorn minds a data directory that others can read.
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(parent, "bench-"));
}

function helpOf(options: Options): string {
  const entries = Object.entries(options);
  const usage = entries.map(([name, { value }]) => (value ? `[--${name} ${value}]` : `[--${name}]`));
  const width = Math.max(NARROWEST, ...entries.map(([name]) => name.length + 4));
  const lines = entries.map(([name, { help }]) => `  ${`--${name}`.padEnd(width)}${help}`);
  return `bun bench/${basename(Bun.main)} ${usage.join(" ")}\n\n${lines.join("\n")}`;
}
