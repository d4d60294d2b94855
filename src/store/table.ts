// The declaration of a table, in the room that owns it (`tables.ts`): whose its rows are, how they name a person, what
// becomes of them with that person, when a workspace is emptied, and when it leaves. Erasure, merges, the export of a
// person, the reset, the deletion and the file of a workspace walk the tables, so that none is listed by hand. The
// statements stay in their rooms.
import { SCHEMA } from "./migrations.ts";
import { sql, type Sql, type Value } from "./sql.ts";
import type { Tx } from "./store.ts";

/** All names by which rows may know people who are being erased: public ids, also former ones, and addresses. */
export type ErasedNames = { readonly ids: readonly string[]; readonly emails: readonly string[] };

/** How a person is erased from a table. */
export type OnErase = {
  /** Rows that may name a person: asked once for all who are erased. */
  readonly named?: (tx: Tx, workspace: number, names: ErasedNames) => Promise<unknown>;
  /** In the change that is answered. */
  readonly atOnce?: (tx: Tx, workspace: number, contact: number) => Promise<unknown>;
  /** Answers how many rows; fewer than `most` = none is left. */
  readonly inPieces?: (tx: Tx, contact: number, most: number) => Promise<number>;
  /** The rows go with those of a table that they refer to. */
  readonly with?: string;
  /** A verb of erasure that knows more of the person. */
  readonly by?: string;
  /** Why the rows stay. */
  readonly stays?: string;
};

/**
 * The fate of a person's rows when the contact is merged into another. `moves`: their column `contact` changes, piece
 * by piece, and changes back when that is undone. `by`: a verb with rules of its own. `stays`: why.
 */
export type OnMerge = "moves" | { readonly by: string } | { readonly stays: string };

/** `from`: the contact that was merged; `to`: who it is now. */
export type MergeDirection = { readonly from: number; readonly to: number };

export type PersonRows = {
  /** The columns that may name a person. */
  readonly by: readonly string[];
  readonly onErase: OnErase;
  readonly onMerge: OnMerge;
  /** The list of the person's export, or why it has none. */
  readonly inExport: string | { readonly not: string };
};

/**
 * The fate of a workspace's rows when it is emptied for the next test run; rows that stay are deleted with the
 * workspace. `inPieces`: of a large table. Rows of a table that belongs to another are deleted with that one.
 */
export type OnReset =
  | "goes"
  | "stays"
  | { readonly called: string; readonly inPieces: (tx: Tx, workspace: number, most: number) => Promise<number> };

/** A row of the file as it will be stored: values by column, references as numbers, no nulls. */
export type ArrivingRow = Readonly<Record<string, Value>>;

/** A row's condition or value, for the row under this name. */
type RowExpression = (row: Sql) => Sql;

export type LeavingRows = {
  /** Only these rows go. */
  readonly only?: RowExpression;
  /** Only these rows go if the file is limited to what happened since a moment. */
  readonly since?: (row: Sql, moment: string) => Sql;
  /** Columns that the file leaves out: they hold for this installation alone, or are made anew. */
  readonly without?: readonly string[];
  /** Encrypted columns, and what belongs to them: they go only under a passphrase. */
  readonly secret?: readonly string[];
  /** Numbers of rows of a table, without a foreign key; `by`: the column that says of which. */
  readonly refers?: Readonly<Record<string, string | KindOfRow>>;
  /** Numbers of rows of a table, with commas between. */
  readonly lists?: Readonly<Record<string, string>>;
  /** Positions in a table: the file has the last row up to there. */
  readonly upTo?: Readonly<Record<string, string>>;
  /** The values of columns in the file, where these are not the stored ones. */
  readonly as?: Readonly<Record<string, RowExpression>>;
  /** A row may have megabytes. */
  readonly isLarge?: true;
  /** The columns that the import adds. */
  readonly arrives?: (row: ArrivingRow, now: string) => ArrivingRow;
};
type KindOfRow = { readonly by: string } & Readonly<Record<string, string>>;

/**
 * The fate of the rows when their workspace is exported (src/operator/leaving). `stays`: why the file leaves them out.
 */
export type OnLeave = "goes" | { readonly stays: string } | LeavingRows;

/** For `since`: rows that were made since. */
export const madeSince = (row: Sql, moment: string): Sql => sql`${row}.created_at >= ${moment}`;

export type TableDeclaration = {
  /** The owner of its rows: a workspace, the installation, or the table on whose rows they depend, by name. */
  readonly of: string;
  /** Every table of a workspace says it. */
  readonly onReset?: OnReset;
  readonly onLeave: OnLeave;
  /** No foreign key: its rows do not go with their workspace by themselves. */
  readonly isLoose?: true;
  /** Every table that can name a person says it. */
  readonly person?: PersonRows;
  /** The setting of retention by which rows are pruned. */
  readonly keptFor?: string;
};

export type Table = TableDeclaration & { readonly name: string };

const declared = new Map<string, Table>();

/** Declares a table. @throws Error if that was done elsewhere */
export function table(name: string, declaration: TableDeclaration): void {
  if (declared.has(name)) throw new Error(`The table ${name} is declared twice.`);
  declared.set(name, { name, ...declaration });
}

let walked: readonly Table[] | null = null;

/**
 * All tables, each before those that its rows refer to: the schema makes them in the other order.
 * @throws Error if one is not declared, since nothing may be forgotten
 */
export function allTables(): readonly Table[] {
  return (walked ??= tablesOfSchema().reverse());
}

function tablesOfSchema(): Table[] {
  return [...SCHEMA.matchAll(/^create table (\w+)/gm)].map(([, name = ""]) => {
    const found = declared.get(name);
    if (!found) throw new Error(`The table ${name} says nothing of itself (src/store/table.ts).`);
    return found;
  });
}

export type PersonTable = Table & { readonly person: PersonRows };

/** The tables whose rows can name a person. */
export function personTables(): readonly PersonTable[] {
  return allTables().filter((one): one is PersonTable => one.person !== undefined);
}
