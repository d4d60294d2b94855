// One table from the source to the target, from where an earlier run stopped.
import { canonical, Checksum } from "./canonical.ts";
import { inBatches, type BatchLimits, type CopiedTable, type CopyRow } from "./plan.ts";
import type { CopyStage } from "./record.ts";
import type { CopyTarget } from "./target.ts";
import type { SqliteSource } from "./sqlite-source.ts";

export type CopyStep = {
  /** "read again": what an earlier run has copied, to see that it is still the same. */
  readonly phase: "read again" | "copied" | "checked";
  readonly table: string;
  /** Of this table, those that an earlier run copied included. */
  readonly rows: number;
  readonly total: number;
  /** Those of the batch. */
  readonly added: number;
};

export type Sides = {
  readonly source: SqliteSource;
  readonly target: CopyTarget;
  readonly limits: BatchLimits;
  /** Hears of every batch. */
  readonly onStep: (step: CopyStep) => void;
};

/** How far a table has come. */
type TableCopy = { readonly table: CopiedTable; readonly checksum: Checksum; readonly last: CopyRow | null };

/**
 * Reads again what earlier runs have copied of a table.
 * @throws Error if it is not what they read: the source is another one, or has been in use since
 */
export function readAgain({ source, limits, onStep }: Sides, table: CopiedTable, stage: CopyStage): TableCopy {
  const checksum = new Checksum();
  let last: CopyRow | null = null;
  for (const batch of inBatches(source.rows(table).take(stage.copied), limits)) {
    for (const row of batch) checksum.add(canonical(table, (last = row)));
    onStep({ phase: "read again", table: table.name, rows: checksum.rows, total: stage.copied, added: batch.length });
  }
  const isSame = checksum.rows === stage.copied && (last === null || checksum.hex === stage.checksum);
  if (isSame) return { table, checksum, last };
  throw new Error(
    `The copy in the target was started from another database, or this one has been used since: ${table.name} differs. ` +
      "Nothing was changed. Start again with an empty database.",
  );
}

/** A batch and how far the copy has come with it are kept together, or neither is. */
export async function copyTable(
  { source, target, limits, onStep }: Sides,
  { table, checksum, last }: TableCopy,
): Promise<void> {
  const total = source.count(table);
  for (const batch of inBatches(source.rows(table, last), limits)) {
    const from = checksum.rows;
    for (const row of batch) checksum.add(canonical(table, row));
    await target.append(table, batch, from, { copied: checksum.rows, checksum: checksum.hex });
    onStep({ phase: "copied", table: table.name, rows: checksum.rows, total, added: batch.length });
  }
}
