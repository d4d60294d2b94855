// One table from the source to the target, from where an earlier run stopped.
import { canonical, Checksum } from "./canonical.ts";
import { inBatches, type BatchLimits, type CopiedTable, type CopyRow } from "./plan.ts";
import type { CopyStage } from "./record.ts";
import type { CopyTarget } from "./target.ts";
import type { SqliteSource } from "./sqlite-source.ts";

export type CopyStep = {
  /** "read again": rows of an earlier run are checked for being still the same. */
  readonly phase: "read again" | "copied" | "checked";
  readonly table: string;
  /** Rows of this table, including those that an earlier run copied. */
  readonly rows: number;
  readonly total: number;
  /** Rows of this batch. */
  readonly added: number;
};

export type Sides = {
  readonly source: SqliteSource;
  readonly target: CopyTarget;
  readonly limits: BatchLimits;
  /** Called after every batch. */
  readonly onStep: (step: CopyStep) => void;
};

/** The progress of a table. */
type TableCopy = { readonly table: CopiedTable; readonly checksum: Checksum; readonly last: CopyRow | null };

/**
 * Reads the rows again that earlier runs have copied of a table.
 * @throws Error if they differ from the checksum: the source is another one, or has been in use since
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

/** A batch and the progress of the copy are kept together, or neither is. */
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
