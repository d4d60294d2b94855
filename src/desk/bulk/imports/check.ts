// The dry run of an import: reads a file like an import and reports the outcome for its rows. It stores nothing.
import { invalidField } from "../../../base/errors.ts";
import type { Store } from "../../../store/store.ts";
import { TypesOfColumns } from "../../../audience/csv/typing.ts";
import type { CsvColumns } from "../../../audience/csv/columns.ts";
import type { ConsentStatus } from "../../../audience/csv/consent.ts";
import { FactsOfColumns, type ColumnFacts } from "../../../audience/csv/column-facts.ts";
import { isRead, placeIn, type FileInArchive } from "../../../audience/csv/packed/files.ts";
import { PackedFile } from "../../../audience/csv/packed/packed-file.ts";
import { letOthersRun, CsvRecords, type CsvEncoding } from "../../../audience/csv/records.ts";
import { readRow, type CsvContact, type CsvRow } from "../../../audience/csv/row.ts";
import type { CsvRecord } from "../../../audience/csv/syntax.ts";
import { keyTypes } from "../../../audience/contacts/list/fields.ts";
import { ImportOutcome, type ImportCounts, type RowCounts, type SkippedInRow } from "./outcome.ts";
import type { ReplacementSummary } from "./replaced.ts";
import { termsOf, type ImportRequest, type ImportTerms, type CsvFacts, type ImportWarning } from "../terms.ts";
import { headerOf, turnIn, type ImportUploadOptions } from "./upload.ts";

/** The most rows that are checked; column types still come from the whole file. */
const MAX_ROWS = 200_000;
/** Rows wait in memory until the types of their columns are known. In characters. */
const MAX_KEPT_CHARS = 32_000_000;
const ROWS_A_READ = 400;
const MAX_LISTED_ERRORS = 1_000;

/** A file of an archive: what it is taken for, and what would become of its rows. */
type CheckedFile = Pick<FileInArchive, "name" | "standing" | "leftOut"> & RowCounts;

type BadRows = readonly { readonly row: number; readonly email: string; readonly error: string }[];

export type ImportCheck = ImportCounts & {
  /** False: the file has more rows than were checked. */
  readonly isComplete: boolean;
  readonly rows: number;
  readonly encoding: CsvEncoding;
  /** The product that made the file; absent if unknown. */
  readonly product?: string;
  /** The status that a single file gives everybody in it; absent = each row has its own. */
  readonly standing?: ConsentStatus;
  /** The files of an archive; absent for a single file. */
  readonly files?: readonly CheckedFile[];
  readonly columns: readonly (ColumnFacts & { readonly replaced: ReplacementSummary })[];
  readonly errors: BadRows;
  readonly skippedCells: readonly SkippedInRow[];
  readonly warnings?: readonly ImportWarning[];
};

type ImportCheckRequest = Omit<ImportUploadOptions, "known" | "asksPeople"> & {
  readonly file: AsyncIterable<Uint8Array>;
  /** Called once the file has been read. */
  readonly readRequest: () => Promise<ImportRequest & Pick<ImportTerms, "segment">>;
};

/** @throws AppError VALIDATION_ERROR on `file` and the fields beside it, and the errors of reading `file` */
export async function checkFile(
  store: Store,
  { workspace, topics, file, choices, encoding, fileName, readRequest }: ImportCheckRequest,
): Promise<ImportCheck> {
  const known = await keyTypes(store, workspace);
  const header = () => ({ choices: choices(), topics, known: new Set(known.keys()), fileName: fileName() });
  const reading = new CsvPreviewReader(header);
  const packed = new PackedFile(workspace, true);
  const records = new CsvRecords(packed);
  for await (const some of records.in(file, encoding)) {
    for (const record of some) reading.add(record);
    await letOthersRun();
  }
  const read = reading.told(records.encoding, packed.files);
  const terms = termsOf(await readRequest(), read.seen, known);
  const outcome = new ImportOutcome(store, workspace, terms);
  for (const row of read.failed) outcome.fail(row);
  for (let from = 0; from < read.rows.length; from += ROWS_A_READ)
    await outcome.add(read.rows.slice(from, from + ROWS_A_READ).map((text) => JSON.parse(text) as CsvContact));
  const { errors, skippedCells, ...counts } = outcome.told();
  const facts = read.facts.told(terms.types, read.seen.types);
  const fields = facts.map(({ field }) => field);
  const { files = [] } = terms;
  const placed = <Row extends { readonly row: number }>(row: Row) => ({ ...row, ...placeIn(files, row.row) });
  return {
    isComplete: read.isComplete,
    rows: read.rows.length + read.failed.length,
    ...counts,
    encoding: records.encoding,
    ...(read.seen.columns.product === null ? {} : { product: read.seen.columns.product }),
    ...(read.seen.columns.standing === null ? {} : { standing: read.seen.columns.standing }),
    ...(packed.files.length > 0 ? { files: checkedFiles(packed.files, outcome) } : {}),
    columns: facts.map((one) => {
      const { count, samples } = outcome.replaced.in(one.field, fields);
      return { ...one, replaced: { count, samples: samples.map(placed) } };
    }),
    // As in all other answers: absent if there are none.
    ...(terms.warnings.length > 0 ? { warnings: terms.warnings } : {}),
    errors: [...read.errors, ...errors]
      .sort((one, other) => one.row - other.row)
      .slice(0, MAX_LISTED_ERRORS)
      .map(placed),
    skippedCells: skippedCells.map(placed),
  };
}

function checkedFiles(files: readonly FileInArchive[], outcome: ImportOutcome): readonly CheckedFile[] {
  const read = files.filter(isRead);
  return files.map((file) => {
    const { name, standing, leftOut } = file;
    return { name, standing, leftOut, ...outcome.of(read.indexOf(file)) };
  });
}

type CsvPreview = {
  readonly seen: CsvFacts;
  readonly facts: FactsOfColumns;
  /** As JSON text, in the order in which they are imported. */
  readonly rows: readonly string[];
  /** The rows that are not readable. */
  readonly failed: readonly number[];
  readonly errors: BadRows;
  readonly isComplete: boolean;
};

/** Reads the file alone, before any contacts are consulted. */
class CsvPreviewReader {
  /** By turn. */
  readonly #rows: string[][] = [];
  #kept = 0;
  readonly #errors: BadRows[number][] = [];
  #columns: CsvColumns | null = null;
  #facts: FactsOfColumns | null = null;
  #types: TypesOfColumns | null = null;
  readonly #failed: number[] = [];
  #chars = 0;
  #isComplete = true;

  constructor(private readonly given: () => Parameters<typeof headerOf>[1]) {}

  add(record: CsvRecord): void {
    if (!this.#columns) {
      this.#columns = headerOf(record, this.given());
      this.#facts = new FactsOfColumns(record.cells, this.#columns);
      this.#types = new TypesOfColumns(this.#columns);
      return;
    }
    const row = readRow(this.#columns, record);
    if (!("error" in row)) this.#types?.add(record.cells);
    if (this.#kept >= MAX_ROWS || this.#chars > MAX_KEPT_CHARS) this.#isComplete = false;
    else this.#keep(record, row);
  }

  #keep(record: CsvRecord, row: CsvRow): void {
    this.#kept++;
    this.#facts?.add(record.cells);
    if ("error" in row) {
      this.#failed.push(row.row);
      if (this.#errors.length < MAX_LISTED_ERRORS) this.#errors.push(row);
      return;
    }
    const text = JSON.stringify(row);
    this.#chars += text.length;
    (this.#rows[turnIn(record, row)] ??= []).push(text);
  }

  /** @throws AppError VALIDATION_ERROR on `file` without a header */
  told(encoding: CsvEncoding, files: readonly FileInArchive[]): CsvPreview {
    if (!this.#columns || !this.#types || !this.#facts) throw invalidField("file", "The file is empty.", "empty");
    return {
      seen: { columns: this.#columns, types: this.#types.told(), encoding, files },
      facts: this.#facts,
      rows: this.#rows.flat(),
      failed: this.#failed,
      errors: this.#errors,
      isComplete: this.#isComplete,
    };
  }
}
