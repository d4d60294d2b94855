// Whether two stores have the same rows: both are read side by side, in the order of their keys.
import type { SQL } from "bun";
import { canonical, canonicalValue, Checksum } from "./canonical.ts";
import { inBatches, keyText, type BatchLimits, type CopiedTable, type CopyRow } from "./plan.ts";
import { openRows, type OrderedRows } from "./rows.ts";
import type { SqliteSource } from "./sqlite-source.ts";

export type CheckedTable = {
  readonly table: string;
  /** The number of equal rows, up to the first difference. */
  readonly rows: number;
  /** SHA-256 over them. */
  readonly checksum: string;
  /** The first row that differs between the two sides, in words. */
  readonly difference: string | null;
};

type CopyCheck = {
  readonly source: SqliteSource;
  readonly target: SQL;
  readonly limits: BatchLimits;
  /** Called after every batch, with how many rows of the table are done with it, and how many the batch had. */
  readonly onRows: (table: CopiedTable, rows: number, added: number) => void;
};

/** Reads the target as it is at one moment. */
export async function checked(check: CopyCheck, tables: readonly CopiedTable[]): Promise<readonly CheckedTable[]> {
  return check.target.begin("isolation level repeatable read read only", async (tx) => {
    const results: CheckedTable[] = [];
    for (const table of tables) {
      const theirs = await openRows(tx, table);
      results.push(await checkTable(check, table, theirs));
      await theirs.close();
    }
    return results;
  });
}

async function checkTable(
  { source, limits, onRows }: CopyCheck,
  table: CopiedTable,
  theirs: OrderedRows,
): Promise<CheckedTable> {
  const checksum = new Checksum();
  const result = (difference: string | null): CheckedTable => {
    return { table: table.name, rows: checksum.rows, checksum: checksum.hex, difference };
  };
  for (const ours of inBatches(source.rows(table), limits)) {
    const difference = firstDifference(table, ours, await theirs.next(ours.length), checksum);
    if (difference !== null) return result(difference);
    onRows(table, checksum.rows, ours.length);
  }
  const [surplus] = await theirs.next(1);
  return result(surplus ? `${place(table, surplus)} is only in the target` : null);
}

/** Adds equal rows to the checksum. */
function firstDifference(
  table: CopiedTable,
  ours: readonly CopyRow[],
  theirs: readonly CopyRow[],
  checksum: Checksum,
): string | null {
  for (const [index, row] of ours.entries()) {
    const other = theirs[index];
    const text = canonical(table, row);
    if (!other || canonical(table, other) !== text) return differenceOf(table, row, other);
    checksum.add(text);
  }
  return null;
}

function differenceOf(table: CopiedTable, ours: CopyRow, theirs: CopyRow | undefined): string {
  const order = theirs ? compareKeys(table, ours, theirs) : -1;
  if (!theirs || order < 0) return `${place(table, ours)} is not in the target`;
  if (order > 0) return `${place(table, theirs)} is only in the target`;
  const differing = table.columns.filter((column) => canonicalValue(column, ours) !== canonicalValue(column, theirs));
  return `${place(table, ours)} differs in ${differing.map(({ name }) => name).join(", ")}`;
}

function place(table: CopiedTable, row: CopyRow): string {
  return `${table.name}: ${keyText(table, row)}`;
}

/** Numbers by size, text by its bytes: the order in which both sides are read. */
function compareKeys({ key }: CopiedTable, ours: CopyRow, theirs: CopyRow): number {
  for (const column of key) {
    const [a, b] = [ours[column], theirs[column]];
    const isText = typeof a === "string";
    const order = isText ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : Number(a) - Number(b);
    if (order !== 0) return order;
  }
  return 0;
}
