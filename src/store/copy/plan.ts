// The plan of a copy from one engine to the other: the tables in the order of their foreign keys, the content of each
// column, batches.

/** A table as the source's schema has it. */
export type SourceTable = {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** The tables that its rows refer to. */
  readonly references: readonly string[];
};

/** `json` and `bytes` are the same type to SQLite; the target's schema tells them apart. */
export type CopyColumnKind = "json" | "bytes" | "text" | "number";

/** `type`: its name in PostgreSQL. */
export type CopyColumn = { readonly name: string; readonly kind: CopyColumnKind; readonly type: string };
export type TargetColumn = CopyColumn & { readonly table: string; readonly isSerial: boolean };

export type CopiedTable = {
  readonly name: string;
  readonly columns: readonly CopyColumn[];
  readonly key: readonly string[];
  /** The column that numbers its rows, if it has one. */
  readonly serial: string | null;
};

/** JSON as text; bytes, or from the target their SHA-256 in hex. */
export type CopyRow = Readonly<Record<string, string | number | bigint | null | Uint8Array>>;

export type BatchLimits = { readonly rows: number; readonly bytes: number };

/** Each table after those that its rows refer to. @throws Error if tables refer to each other in a circle */
export function inOrder(tables: readonly SourceTable[]): readonly SourceTable[] {
  const ordered: SourceTable[] = [];
  const isPlaced = (name: string) => ordered.some((table) => table.name === name);
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ name, references }) => !isPlaced(name) && references.every((other) => other === name || isPlaced(other)),
    );
    if (!next) throw new Error("Some tables refer to each other in a circle: there is no order to copy them in.");
    ordered.push(next);
  }
  return ordered;
}

/** The tables with the content of the target's columns. @throws Error if the target does not have the same columns */
export function planned(tables: readonly SourceTable[], columns: readonly TargetColumn[]): readonly CopiedTable[] {
  return tables.map(({ name, columns: names, key }) => {
    const there = columns.filter(({ table }) => table === name);
    const matched = names.map((column) => there.find((one) => one.name === column));
    const isSame = there.length === names.length && matched.every((column) => column !== undefined);
    if (!isSame || key.length === 0) throw new Error(`The table ${name} is not the same on both sides.`);
    return { name, columns: matched as TargetColumn[], key, serial: there.find((one) => one.isSerial)?.name ?? null };
  });
}

/** `rows` in batches that are within the limits; a row that is larger is a batch of its own. */
export function* inBatches(rows: Iterable<CopyRow>, limits: BatchLimits): Generator<CopyRow[]> {
  let batch: CopyRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = sizeOf(row);
    if (batch.length === limits.rows || (batch.length > 0 && bytes + size > limits.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** A rough size: only texts and bytes count. */
function sizeOf(row: CopyRow): number {
  let size = 0;
  for (const value of Object.values(row)) {
    if (typeof value === "string" || value instanceof Uint8Array) size += value.length;
  }
  return size;
}

/** `seq 17`, or `workspace 1, route "POST /v1/send", key "a"`. */
export function keyText({ key }: CopiedTable, row: CopyRow): string {
  return key
    .map((column) => {
      const value = row[column];
      return `${column} ${typeof value === "string" ? JSON.stringify(value) : value}`;
    })
    .join(", ");
}
