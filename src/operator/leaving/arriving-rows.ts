// The rows of a workspace that comes in, part by part: each is read, its references become numbers, and it is written.
import { iso, MINUTE_MS } from "../../base/clock.ts";
import { AppError } from "../../base/errors.ts";
import type { Value } from "../../store/sql.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { Secrets } from "../../base/secrets.ts";
import { keepArriving } from "../../tenant/workspaces/arriving-queries.ts";
import { holderOf, insertRows, type NewRow } from "./arrival-queries.ts";
import type { FilePart } from "./file.ts";
import { readLine, type ReadLine } from "./line.ts";
import { filePlan, tablesIn, type FileTable } from "./plan.ts";
import { References, type NumbersByTable } from "./references.ts";
import { newSecretsOf } from "./secrets.ts";
import { refusedFile, UnreadableFile } from "./unreadable.ts";

type ArrivingTerms = {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly onRows?: (table: string, rows: number) => void;
};

/** A piece takes a moment: the process of an import that has written none for so long is dead. */
const ARRIVAL_LEASE_MS = 10 * MINUTE_MS;
const MOST_ROWS = 500;
const MOST_BYTES = 1024 * 1024;

/** Rows that are written in one transaction. */
type Piece = { readonly table: FileTable; readonly lines: readonly ReadLine[]; readonly from: number };

type KnownRows = { readonly known: NumbersByTable };

export class ArrivingRows {
  /** Its number; 0 = its own row is not in yet. */
  workspace = 0;
  id = "";
  readonly #terms: ArrivingTerms;
  readonly #references = new References();
  #at = { table: -1, part: 0, rows: 0 };

  constructor(terms: ArrivingTerms) {
    this.#terms = terms;
  }

  /** Answers how many rows the part has. @throws UnreadableFile, AppError CONFLICT if a public id is taken here */
  async take({ name, bytes }: FilePart, id: string): Promise<number> {
    const table = this.#tableOf(name);
    this.id = id;
    let [lines, size, from, rows]: [ReadLine[], number, number, number] = [[], 0, 1, 0];
    for (const text of linesIn(bytes, name)) {
      lines.push(within(name, ++rows, () => readLine(table, text)));
      size += text.length;
      if (lines.length < MOST_ROWS && size < MOST_BYTES) continue;
      await this.#write(name, { table, lines, from });
      [lines, size, from] = [[], 0, rows + 1];
    }
    if (lines.length > 0) await this.#write(name, { table, lines, from });
    return rows;
  }

  /** Keeps the workspace from being removed as abandoned. @throws AppError CONFLICT if it was */
  async renewLease(tx: Tx): Promise<void> {
    if (await keepArriving(tx, this.workspace, iso(tx.nowMs + ARRIVAL_LEASE_MS))) return;
    throw new AppError("CONFLICT", "The workspace took too long to come in, and was removed.");
  }

  /** Tables come in their order, and their parts as well. @throws UnreadableFile */
  #tableOf(name: string): FileTable {
    const [, called = "", number = ""] = /^([a-z_]+)-(\d{6})\.jsonl$/.exec(name) ?? [];
    const at = filePlan().tables.findIndex((one) => one.name === called);
    const isNext = at === this.#at.table ? Number(number) === this.#at.part + 1 : Number(number) === 1;
    if (at < 0) throw new UnreadableFile(`it has a part that is not known here: ${JSON.stringify(name.slice(0, 100))}`);
    if (at < this.#at.table || !isNext) throw new UnreadableFile(`its ${name} is not in its place`);
    this.#at = { table: at, part: Number(number), rows: at === this.#at.table ? this.#at.rows : 0 };
    return filePlan().tables[at] as FileTable;
  }

  async #write(part: string, piece: Piece): Promise<void> {
    const { table, lines, from } = piece;
    const isFirst = table.name === "workspaces";
    if (isFirst !== (this.workspace === 0) || (isFirst && lines.length !== 1))
      throw new UnreadableFile("it does not have one workspace at its beginning");
    try {
      const { store } = this.#terms;
      const known = await store.read((reader) => this.#references.namedBy(reader, this.workspace, lines));
      const numbers = await store.write((tx) => this.#insert(tx, part, { ...piece, known }));
      if (isFirst) this.workspace = numbers[0] as number;
      this.#references.note(table, numbers);
    } catch (error) {
      if (error instanceof UnreadableFile || error instanceof AppError) throw error;
      await this.#refuseTaken(piece);
      const message = `${part}, line ${from} and after: its rows cannot be stored: ${(error as Error).message}`;
      throw new UnreadableFile(message, { cause: error });
    }
    this.#at.rows += lines.length;
    this.#terms.onRows?.(table.name, this.#at.rows);
  }

  /** @throws AppError CONFLICT for public ids, and keys of forms, that another workspace has */
  async #refuseTaken({ table: { name: table, unique, hasWorkspace }, lines }: Piece): Promise<void> {
    for (const column of hasWorkspace ? unique : []) {
      const texts = lines.flatMap(({ values: { [column]: text } }) => (typeof text === "string" ? text : []));
      const wanted = { table, column, texts };
      const holder = await this.#terms.store.read((reader) => holderOf(reader, this.workspace, wanted));
      if (holder === null) continue;
      const what = column === "id" ? "public ids that are" : `the ${column} ${holder.text}, which is`;
      throw refusedFile("CONFLICT", `The workspace ${holder.name} has ${what} in the file (${table}).`);
    }
  }

  async #insert(tx: Tx, part: string, { table, lines, from, known }: Piece & KnownRows): Promise<number[]> {
    if (this.workspace !== 0) await this.renewLease(tx);
    const rows = lines.map((line, at) => within(part, from + at, () => this.#rowOf(tx, table, { line, known })));
    const numbers: number[] = [];
    for (const alike of alikeInOrder(rows.map((row) => completeRow(table, row))))
      numbers.push(...(await insertRows(tx, table, alike)));
    return numbers;
  }

  #rowOf(tx: Tx, table: FileTable, { line, known }: { readonly line: ReadLine } & KnownRows): NewRow {
    const row: Record<string, Value> = { ...(table.hasWorkspace ? { workspace: this.workspace } : {}), ...line.values };
    for (const [column, given] of line.references)
      row[column.name] = this.#references.numberIn(column, given, { line, known });
    for (const { name, means } of table.columns)
      if (means?.kind === "upTo" && row[name] === undefined)
        row[name] = this.#references.lastOf(tablesIn(means)[0] ?? "");
    const made = newSecretsOf(table, this.#terms.secrets);
    return {
      ...row,
      ...made,
      ...table.says.arrives?.(row, tx.now),
      ...(table.name === "workspaces" ? this.#own(tx, row) : {}),
    };
  }

  /** The name is the id until the workspace is whole, so that no other name is taken. */
  #own(tx: Tx, { id }: NewRow): NewRow {
    if (id !== this.id) throw new UnreadableFile("it is not the workspace that the file names");
    return { name: this.id, arriving_until: iso(tx.nowMs + ARRIVAL_LEASE_MS) };
  }
}

function* linesIn(bytes: Buffer, name: string): Generator<string> {
  if (bytes.at(-1) !== 10) throw new UnreadableFile(`its ${name} does not end with a line feed`);
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(10, from);
    yield bytes.toString("utf8", from, end);
    from = end + 1;
  }
}

/** With null in the columns that are missing, so that the rows of a table share a statement. */
function completeRow({ stored }: FileTable, row: NewRow): NewRow {
  const complete: Record<string, Value> = {};
  for (const { name, isNeeded } of stored)
    if (row[name] !== undefined) complete[name] = row[name];
    else if (!isNeeded) complete[name] = null;
  return complete;
}

function alikeInOrder(rows: readonly NewRow[]): NewRow[][] {
  const groups: NewRow[][] = [];
  let names = "";
  for (const row of rows) {
    const theirs = Object.keys(row).join();
    if (theirs === names && groups.length > 0) groups.at(-1)?.push(row);
    else groups.push([row]);
    names = theirs;
  }
  return groups;
}

function within<Result>(part: string, line: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new UnreadableFile(`${part}, line ${line}: ${error.message}`, { cause: error });
  }
}
