// An archive of several files of contacts, as one file: its columns are those of all files, and each record says what
// its file says of everybody in it. It comes from strangers, so what it unpacks to is bounded, and no path in it is
// used as one.
import { filesAmong, zipEntries, type ZipEntry } from "../../../base/zip.ts";
import { fileStanding } from "../file-standing.ts";
import { consentColumnsOf, standingIn, worse } from "../consent.ts";
import { addressIn } from "../names.ts";
import { isWorkbook } from "../other-files.ts";
import { withDates } from "../proof.ts";
import { CsvRecords, type CsvEncoding } from "../records.ts";
import type { CsvRecord } from "../syntax.ts";
import { WorkbookFault } from "../workbook/fault.ts";
import { unpacked } from "../workbook/part.ts";
import { budgetFor, isDamage, rowsOf } from "../workbook/workbook.ts";
import { fault, faultIn, isOfNoList, shownName } from "./archive-fault.ts";
import type { FileInArchive } from "./files.ts";
import { JointHeader } from "./joint-header.ts";

const MAX_ENTRIES = 10_000;
const MAX_FILES = 100;
/** As for a workbook that comes alone. */
const MAX_WORKBOOK_BYTES = 64 * 1024 * 1024;
/** A row may be as wide as all files together. */
const MAX_BATCH_CELLS = 64 * 1024;
/** A part that only workbooks have. */
const WORKBOOK_PART = "[Content_Types].xml";

/** False for a workbook, which is an archive as well. A damaged one is told by its first bytes. */
export function isArchive(bytes: Uint8Array): boolean {
  try {
    return !zipEntries(bytes, MAX_ENTRIES).some(({ name }) => name === WORKBOOK_PART);
  } catch {
    return !isWorkbook(bytes);
  }
}

/** A file that is read. `at`: its number among all files. */
type PeopleFile = { readonly entry: ZipEntry; readonly header: CsvRecord; readonly at: number };

export class Archive {
  readonly #files: FileInArchive[] = [];
  readonly #budget;
  readonly #joint = new JointHeader();

  constructor(
    private readonly bytes: Uint8Array,
    private readonly encoding: CsvEncoding | null,
  ) {
    this.#budget = budgetFor(bytes.length);
  }

  /** Complete once all records have been read. */
  get files(): readonly FileInArchive[] {
    return this.#files;
  }

  /** In batches, the header first. @throws ArchiveFault */
  async *records(): AsyncGenerator<readonly CsvRecord[]> {
    try {
      const lists = await this.#lists();
      for (const { header } of lists) this.#joint.add(header);
      yield [this.#joint.record()];
      let before = 0;
      for (const list of lists) {
        let last = 0;
        for await (const records of this.#recordsOf(list, before)) {
          last = records.at(-1)?.row ?? last;
          yield records;
        }
        before = Math.max(before, last);
      }
    } catch (error) {
      throw isDamage(error) ? fault("broken_zip") : error;
    }
  }

  /** The heads of the files. If only some have a column of addresses, the others are left out. */
  async #lists(): Promise<readonly PeopleFile[]> {
    const entries = filesAmong(zipEntries(this.bytes, MAX_ENTRIES));
    if (entries.some(({ isEncrypted }) => isEncrypted)) throw fault("protected_zip");
    if (entries.length > MAX_FILES) throw fault("big_zip");
    const lists: PeopleFile[] = [];
    for (const entry of entries) {
      const header = await this.#headerOf(entry);
      const leftOut = header === null ? "no_list" : null;
      this.#files.push({ name: shownName(entry.name), standing: null, leftOut, encoding: "utf-8", before: 0 });
      if (header) lists.push({ entry, header, at: this.#files.length - 1 });
    }
    if (lists.length === 0) throw fault("empty_zip");
    const addressed = lists.filter(({ header }) => addressIn(header.cells) >= 0);
    if (addressed.length === 0) return lists;
    for (const list of lists) if (!addressed.includes(list)) this.#note(list.at, { leftOut: "no_addresses" });
    return addressed;
  }

  #note(at: number, facts: Partial<FileInArchive>): void {
    this.#files[at] = { ...(this.#files[at] as FileInArchive), ...facts };
  }

  /** Null if the file is no list. */
  async #headerOf(entry: ZipEntry): Promise<CsvRecord | null> {
    try {
      for await (const records of this.#reading().in(this.#contentOf(entry), () => this.encoding))
        for (const record of records) return record;
      return null;
    } catch (error) {
      const told = faultIn(entry.name, error);
      if (isOfNoList(told)) return null;
      throw told;
    }
  }

  async *#recordsOf({ entry, header, at }: PeopleFile, before: number): AsyncGenerator<readonly CsvRecord[]> {
    const dated = withDates(header.cells, header.next ?? []);
    const standing = fileStanding(entry.name, dated);
    // The joint header has our own column, which decides alone; the columns of another product in this file still
    // count.
    const consent = this.#joint.hasFlag ? consentColumnsOf(dated) : [];
    const placed = this.#joint.placing(header.cells);
    const reading = this.#reading();
    this.#note(at, { standing, before });
    let isHeader = true;
    try {
      for await (const records of reading.in(this.#contentOf(entry), () => this.encoding)) {
        let batch: CsvRecord[] = [];
        for (const { cells, row, fault: found } of records) {
          if (!isHeader)
            batch.push({
              cells: placed(cells),
              row: before + row,
              fault: found ?? (cells.length > header.cells.length ? "long" : null),
              standing: worse(standing, standingIn(consent, cells)),
            });
          isHeader = false;
          if (batch.length * this.#joint.width < MAX_BATCH_CELLS) continue;
          yield batch;
          batch = [];
        }
        yield batch;
      }
    } catch (error) {
      throw faultIn(entry.name, error);
    }
    this.#note(at, { encoding: reading.encoding });
  }

  #contentOf(entry: ZipEntry): AsyncIterable<Uint8Array> {
    return unpacked(entry, this.#budget);
  }

  /** Reads a file as it would be read alone. */
  #reading(): CsvRecords {
    const pieces: Uint8Array[] = [];
    let size = 0;
    return new CsvRecords({
      mayBeArchive: false,
      encoding: null,
      push: (piece) => {
        size += piece.length;
        if (size > MAX_WORKBOOK_BYTES) throw new WorkbookFault("big_file");
        pieces.push(piece.slice());
      },
      records: () => rowsOf(Buffer.concat(pieces), this.#budget),
      [Symbol.dispose]: () => pieces.splice(0),
    });
  }
}
