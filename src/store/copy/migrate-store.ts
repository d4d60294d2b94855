// Copies a stopped installation from its SQLite file to PostgreSQL; after an interruption the next run goes on.
import { iso, type Clock } from "../../base/clock.ts";
import { checked, type CheckedTable } from "./check.ts";
import { beginCopy, refuseForeignRows } from "./entrance.ts";
import { inOrder, planned, type BatchLimits, type CopiedTable } from "./plan.ts";
import { copyTable, readAgain, type Sides, type CopyStep } from "./table.ts";
import type { CopyStage } from "./record.ts";
import { openTarget } from "./target.ts";
import { newSource, openSource } from "./sqlite-source.ts";

type StoreMigration = {
  /** The path of the SQLite file. */
  readonly from: string;
  /** The URL of the PostgreSQL database. */
  readonly to: string;
  readonly clock: Clock;
  readonly onStep: (step: CopyStep) => void;
  readonly limits?: BatchLimits;
};

export type MigrationResult = {
  readonly tables: readonly CheckedTable[];
  /** True: an earlier run had completed the copy, and this one has only compared. */
  readonly wasComplete: boolean;
};

/**
 * An attachment is at most 10 MB and then a batch of its own; a few forms of the largest batch are in memory together.
 */
const LIMITS: BatchLimits = { rows: 1_000, bytes: 4 * 1024 * 1024 };

const NOTHING: CopyStage = { copied: 0, checksum: "" };

/**
 * Copies every table, then reads both sides again and compares them row by row. For a table that differs, `difference`
 * says how, and no server starts on the target. The source is not changed.
 * @throws Error in plain words if one of the two cannot be used, or for a row that PostgreSQL refuses
 */
export async function migrateStore({
  from,
  to,
  clock,
  onStep,
  limits = LIMITS,
}: StoreMigration): Promise<MigrationResult> {
  const now = iso(clock.nowMs());
  using source = openSource(from);
  await using target = await openTarget(to, now);
  const sides: Sides = { source, target, limits, onStep };
  const tables = planned(inOrder(source.tables()), await target.columns());
  if (!(await isBegun(sides, tables, now))) return await completeBefore(sides, tables);
  await copyTables(sides, tables);
  const results = await compare(sides, tables);
  if (results.every(isSame)) await target.finish(tables, (table) => source.lastNumber(table));
  return { tables: results, wasComplete: false };
}

/**
 * Whether there is a copy to go on with: one from an earlier run, or one that begins now because the target is empty.
 */
async function isBegun({ target }: Sides, tables: readonly CopiedTable[], now: string): Promise<boolean> {
  if ((await target.record()) !== null) return true;
  using fresh = newSource(now);
  return await beginCopy(target.sql, tables, fresh);
}

/** All checks come before the first row is written. */
async function copyTables(sides: Sides, tables: readonly CopiedTable[]): Promise<void> {
  const { target } = sides;
  const record = (await target.record()) ?? new Map<string, CopyStage>();
  await refuseForeignRows(target.sql, tables, record);
  const begun = tables.map((table) => readAgain(sides, table, record.get(table.name) ?? NOTHING));
  for (const one of begun) await copyTable(sides, one);
}

/** @throws Error if the target, which is not empty, differs from the source */
async function completeBefore(sides: Sides, tables: readonly CopiedTable[]): Promise<MigrationResult> {
  const results = await compare(sides, tables);
  const foreign = results.find((result) => !isSame(result));
  if (!foreign) return { tables: results, wasComplete: true };
  throw new Error(
    `The target contains rows that did not come from this copy, or has been used since the copy was complete: ${foreign.difference}. ` +
      "Nothing was changed. Name an empty database.",
  );
}

function compare({ source, target, limits, onStep }: Sides, tables: readonly CopiedTable[]) {
  const totals = new Map(tables.map((table) => [table, source.count(table)]));
  const onRows = (table: CopiedTable, rows: number, added: number) =>
    onStep({ phase: "checked", table: table.name, rows, added, total: totals.get(table) ?? rows });
  return checked({ source, target: target.sql, limits, onRows }, tables);
}

function isSame({ difference }: CheckedTable): boolean {
  return difference === null;
}
