// Loaded into a server before its own code (`bun --preload`): counts what it does on the main thread, and writes the sums to the file named
// by COUNTS_FILE whenever it gets SIGUSR2. What each statement took is there for those who look for a cause.
import { Database, type Statement } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

export type Counts = {
  readonly statements: number;
  readonly commits: number;
  readonly promises: number;
  readonly messages: number;
  readonly byText: Readonly<Record<string, readonly [count: number, us: number]>>;
};

const byText = new Map<string, [number, number]>();
const sums = { statements: 0, commits: 0, promises: 0, messages: 0 };

const CONTROL = /^(begin|commit|rollback|savepoint|release|pragma)/;

const prepare = Database.prototype.prepare;
Database.prototype.prepare = function prepared(this: Database, text: string, ...rest: never[]) {
  const statement = prepare.call(this, text, ...rest);
  const short = text.replace(/\s+/g, " ").trim();
  for (const method of ["all", "get", "run", "values"] as const) countRuns(statement, method, short);
  return statement;
} as never;

function countRuns(statement: Statement, method: "all" | "get" | "run" | "values", text: string): void {
  const original = statement[method] as (...bound: unknown[]) => unknown;
  statement[method] = function counted(...bound: unknown[]) {
    const startedUs = performance.now() * 1000;
    try {
      return original.apply(statement, bound);
    } finally {
      note(text, performance.now() * 1000 - startedUs);
    }
  } as never;
}

function note(text: string, tookUs: number): void {
  if (text === "commit") sums.commits++;
  if (!CONTROL.test(text)) sums.statements++;
  const seen = byText.get(text) ?? [0, 0];
  byText.set(text, [seen[0] + 1, seen[1] + tookUs]);
}

for (const method of ["then", "finally", "catch"] as const) countCalls(Promise.prototype, method);
for (const method of ["all", "allSettled", "withResolvers"] as const) countCalls(Promise, method);

function countCalls(owner: object, method: string): void {
  const methods = owner as Record<string, (...given: unknown[]) => unknown>;
  const original = methods[method] as (...given: unknown[]) => unknown;
  methods[method] = function counted(this: unknown, ...given: unknown[]) {
    sums.promises++;
    return original.apply(this, given);
  };
}

const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function posted(this: Worker, ...given: never[]) {
  sums.messages++;
  return (post as (...all: never[]) => void).apply(this, given);
} as never;

process.on("SIGUSR2", () => {
  const counts: Counts = { ...sums, byText: Object.fromEntries(byText) };
  writeFileSync(process.env["COUNTS_FILE"] as string, JSON.stringify(counts));
});
