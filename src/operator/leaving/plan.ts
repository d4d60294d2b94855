// The contents of a workspace's file: the tables that go, each after those that its rows refer to, and the meaning of
// their columns. From the schema and from what each table says of itself (src/store/table.ts).
import { schemaTable, type SchemaColumn, type SchemaTable } from "./schema.ts";
import { allTables, type LeavingRows, type Table } from "../../store/table.ts";

/** The meaning of a number in a column: a row, several rows, or a position in a table. */
export type ColumnReference = {
  readonly kind: "row" | "rows" | "upTo";
  /** The table, by what another column says. */
  readonly of: string | { readonly by: string; readonly tables: Readonly<Record<string, string>> };
  /** A foreign key: the row exists. */
  readonly isHeld: boolean;
};

export type FileColumn = SchemaColumn & {
  /** Its name in the file. */
  readonly field: string;
  readonly means: ColumnReference | null;
};

export type FileTable = Omit<SchemaTable, "columns"> & {
  readonly says: LeavingRows;
  /** Without `workspace`, which is the one of the file. */
  readonly columns: readonly FileColumn[];
  /** All that a row has. */
  readonly stored: readonly SchemaColumn[];
  readonly hasWorkspace: boolean;
  /** Its rows have a public id. */
  readonly hasId: boolean;
  readonly isNumbered: boolean;
  /** The column by which others refer to its rows. */
  readonly numberedBy: string;
  /** Others refer to its rows, which have no public id: by their places in the file. */
  readonly hasPlaces: boolean;
};

export type StayingTable = { readonly name: string; readonly why: string };
export type FilePlan = {
  readonly tables: readonly FileTable[];
  readonly stays: readonly StayingTable[];
  table(name: string): FileTable;
};

let made: FilePlan | null = null;

export function filePlan(): FilePlan {
  return (made ??= makePlan());
}

function makePlan(): FilePlan {
  const all = allTables().toReversed();
  const going = all.flatMap((one) => {
    const says = rowsOf(one);
    return says ? unplaced(one.name, says) : [];
  });
  const meanings = going.flatMap(({ columns }) => columns.flatMap(({ means }) => means ?? []));
  const meant = new Set(meanings.filter(({ kind }) => kind === "row").flatMap(tablesIn));
  const tables = inOrder(going.map((one) => ({ ...one, hasPlaces: meant.has(one.name) && !one.hasId })));
  const byName = new Map(tables.map((one) => [one.name, one]));
  return { tables, stays: all.flatMap(stayingOf), table: (name) => byName.get(name) as FileTable };
}

function rowsOf({ onLeave }: Table): LeavingRows | null {
  if (onLeave === "goes") return {};
  return "stays" in onLeave ? null : onLeave;
}

function stayingOf({ name, onLeave }: Table): StayingTable[] {
  return typeof onLeave === "object" && "stays" in onLeave ? [{ name, why: onLeave.stays }] : [];
}

function unplaced(name: string, says: LeavingRows): Omit<FileTable, "hasPlaces"> {
  const { columns, ...schema } = schemaTable(name);
  const left = ["workspace", ...(says.without ?? []), ...(says.secret ?? [])];
  return {
    ...{ ...schema, says, stored: columns },
    columns: columns.filter((one) => !left.includes(one.name)).map((one) => fileColumn(says, one)),
    hasWorkspace: columns.some((one) => one.name === "workspace"),
    hasId: schema.unique.includes("id"),
    isNumbered: schema.key[0] === "seq",
    numberedBy: schema.key[0] as string,
  };
}

function fileColumn({ refers = {}, lists = {}, upTo = {} }: LeavingRows, column: SchemaColumn): FileColumn {
  const { name, references } = column;
  const field = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const meaning = (kind: ColumnReference["kind"], of: ColumnReference["of"], isHeld = false) => ({
    ...column,
    field,
    means: { kind, of, isHeld },
  });
  const said = refers[name];
  if (typeof said === "string") return meaning("row", said);
  if (said !== undefined) return meaning("row", { by: said.by, tables: said });
  if (lists[name] !== undefined) return meaning("rows", lists[name]);
  if (upTo[name] !== undefined) return meaning("upTo", upTo[name]);
  return references === null ? { ...column, field, means: null } : meaning("row", references, true);
}

export function tablesIn({ of }: ColumnReference): string[] {
  if (typeof of === "string") return [of];
  return Object.entries(of.tables).flatMap(([kind, name]) => (kind === "by" ? [] : name));
}

/** @throws Error if tables refer to each other in a circle */
function inOrder(tables: readonly FileTable[]): readonly FileTable[] {
  const ordered: FileTable[] = [];
  const isPlaced = (name: string) => ordered.some((one) => one.name === name);
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ name, columns }) =>
        !isPlaced(name) && columns.every(({ means }) => means === null || tablesIn(means).every(isPlaced)),
    );
    if (!next) throw new Error("Some tables refer to each other in a circle: there is no order for them in a file.");
    ordered.push(next);
  }
  return ordered;
}
