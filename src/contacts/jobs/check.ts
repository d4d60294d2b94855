// A dry run of an import: reads a file as an import would, and tells what would become of its rows. It stores nothing.
import { invalidField } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import { changesOf, newContact } from "../contact.ts";
import { columnsOf, type Columns } from "../csv/columns.ts";
import { FactsOfColumns, type ColumnFacts } from "../csv/column-facts.ts";
import { letOthersRun, recordsIn } from "../csv/records.ts";
import { badRow, readRow, type GoodRow, type Row } from "../csv/row.ts";
import { contactsByEmail } from "../list/queries.ts";
import type { Contact } from "../queries.ts";
import { inputOf, keepingFlags } from "./import.ts";

/** A larger file is checked so far. */
const MAX_ROWS = 200_000;
const ROWS_A_READ = 400;
const MAX_LISTED_ERRORS = 1_000;

export type Check = {
  /** False: the file goes on behind the rows that were checked. */
  readonly isWhole: boolean;
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Rows whose address came before in the file: each of them changes the contact again. */
  readonly repeated: number;
  readonly failed: number;
  /** Of those updated: they had unsubscribed, or are suppressed, and would be subscribed again. */
  readonly resubscribed: number;
  readonly columns: readonly ColumnFacts[];
  readonly errors: readonly { readonly row: number; readonly email: string; readonly error: string }[];
};

type Terms = { readonly workspace: number; readonly resubscribe: boolean };

/** @throws AppError VALIDATION_ERROR on `file`, and what reading `file` throws */
export async function checkFile(store: Store, terms: Terms, file: AsyncIterable<Uint8Array>): Promise<Check> {
  const check = new DryRun(store, terms);
  let isWhole = true;
  for await (const records of recordsIn(file)) {
    // The rest is read, or the sender would find the connection broken.
    if (!isWhole) continue;
    for (const record of records) {
      if (check.isFull) isWhole = false;
      if (!isWhole) break;
      await check.add(record);
    }
    await letOthersRun();
  }
  return check.told(isWhole);
}

type Count = "created" | "updated" | "unchanged" | "repeated" | "failed" | "resubscribed";

class DryRun {
  readonly #counts: Record<Count, number> = {
    created: 0,
    updated: 0,
    unchanged: 0,
    repeated: 0,
    failed: 0,
    resubscribed: 0,
  };
  readonly #errors: Check["errors"][number][] = [];
  /** Hashes of addresses: they need a fraction of the memory. */
  readonly #seen = new Set<number>();
  #columns: Columns | null = null;
  #facts: FactsOfColumns | null = null;
  #rows = 0;
  #waiting: GoodRow[] = [];

  constructor(
    private readonly store: Store,
    private readonly terms: Terms,
  ) {}

  get isFull(): boolean {
    return this.#rows >= MAX_ROWS;
  }

  async add(record: Parameters<typeof readRow>[1]): Promise<void> {
    if (!this.#columns) {
      this.#columns = columnsOf(record.cells);
      this.#facts = new FactsOfColumns(record.cells, this.#columns);
      return;
    }
    this.#rows++;
    this.#facts?.add(record.cells);
    this.#take(readRow(this.#columns, record));
    if (this.#waiting.length >= ROWS_A_READ) await this.#compare();
  }

  async told(isWhole: boolean): Promise<Check> {
    if (!this.#facts) throw invalidField("file", "The file is empty.", "empty");
    await this.#compare();
    const errors = this.#errors.toSorted((one, other) => one.row - other.row).slice(0, MAX_LISTED_ERRORS);
    return { isWhole, rows: this.#rows, ...this.#counts, columns: this.#facts.told(), errors };
  }

  #take(row: Row): void {
    if ("error" in row) return this.#refuse(row);
    const address = Number(BigInt(Bun.hash(row.email)) & 0x1f_ffff_ffff_ffffn);
    if (this.#seen.has(address)) return void this.#counts.repeated++;
    this.#seen.add(address);
    this.#waiting.push(this.terms.resubscribe ? row : keepingFlags(row));
  }

  #refuse(row: Check["errors"][number]): void {
    this.#counts.failed++;
    if (this.#errors.length < MAX_LISTED_ERRORS) this.#errors.push(row);
  }

  async #compare(): Promise<void> {
    const rows = this.#waiting;
    this.#waiting = [];
    if (rows.length === 0) return;
    const emails = rows.map(({ email }) => email);
    const known = await this.store.read((reader) => contactsByEmail(reader, this.terms.workspace, emails), {
      inTurn: true,
    });
    const byEmail = new Map(known.map((contact) => [contact.email, contact]));
    for (const row of rows) this.#count(row, byEmail.get(row.email) ?? null);
  }

  #count(row: GoodRow, contact: Contact | null): void {
    try {
      this.#counts[outcomeOf(row, contact)]++;
      if (isResubscribed(row, contact)) this.#counts.resubscribed++;
    } catch (error) {
      this.#refuse(badRow(row.row, row.email, error));
    }
  }
}

/** @throws AppError for a contact that would be too large */
function outcomeOf(row: GoodRow, contact: Contact | null): Count {
  if (contact) return changesOf(contact, inputOf(row)) ? "updated" : "unchanged";
  newContact({ nowMs: 0 }, inputOf(row), null);
  return "created";
}

function isResubscribed({ subscribed }: GoodRow, contact: Contact | null): boolean {
  return subscribed === true && contact?.subscribed === false && contact.status === "ACTIVE";
}
