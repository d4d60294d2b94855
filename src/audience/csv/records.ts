// The records of a file of contacts or suppressions, as its bytes arrive: CSV, the first sheet of a workbook, or the
// files of an archive.
import { invalidField } from "../../base/errors.ts";
import { isPacked, readable } from "./other-files.ts";
import { CsvReader, type CsvRecord } from "./syntax.ts";

/** The first four are detected; the others look like Windows-1252 and must be chosen. */
export const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "macintosh",
] as const;
export type CsvEncoding = (typeof ENCODINGS)[number];

/** Takes the bytes of a workbook, or of an archive if it may be one, and then reads them. */
export type PackedReader = Disposable & {
  readonly mayBeArchive: boolean;
  /** The encoding of the files in an archive, once they have been read; null = UTF-8, or a workbook. */
  readonly encoding: CsvEncoding | null;
  readonly push: (piece: Uint8Array) => void;
  readonly records: (encoding: CsvEncoding | null) => AsyncIterable<readonly CsvRecord[]>;
};

/** The records of a file in batches, and its encoding as detected so far. */
export class CsvRecords {
  #encoding: CsvEncoding | null = null;
  #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #isChosen = false;
  /** Up to the first character beyond ASCII, the bytes mean the same in UTF-8 and in Windows-1252. */
  #isAscii = true;
  /** The bytes of a character that is not complete yet. */
  #cut: Uint8Array = new Uint8Array();

  constructor(private readonly packed: PackedReader) {}

  get encoding(): CsvEncoding {
    return this.#encoding ?? this.packed.encoding ?? "utf-8";
  }

  /**
   * `chosen`: the encoding that the request names; called once the file has begun.
   * @throws AppError VALIDATION_ERROR on `file`, SERVER_BUSY (packed files), and the errors of reading the file
   */
  async *in(
    file: AsyncIterable<Uint8Array>,
    chosen: () => CsvEncoding | null = () => null,
  ): AsyncGenerator<Iterable<CsvRecord>> {
    const head = new FirstRecord();
    const reader = new CsvReader();
    using packed = this.packed;
    let isUnpacked: boolean | null = null;
    for await (const piece of readable(file, packed.mayBeArchive)) {
      if (isUnpacked === null) this.#choose(chosen());
      isUnpacked ??= !isPacked(piece);
      if (isUnpacked) yield head.of(reader.push(this.#decoded(piece, false)));
      else packed.push(piece);
    }
    if (isUnpacked === false) for await (const rows of packed.records(chosen())) yield head.of(rows);
    else {
      yield head.of(reader.push(this.#decoded(new Uint8Array(), true)));
      yield head.of(reader.end());
    }
    yield head.alone();
  }

  #choose(encoding: CsvEncoding | null): void {
    if (encoding === null) return;
    this.#encoding = encoding;
    this.#isChosen = true;
    this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  #decoded(piece: Uint8Array, isEnd: boolean): string {
    if (this.#isChosen) return this.#inChosen(piece, isEnd);
    const bytes = this.#cut.length === 0 ? piece : Buffer.concat([this.#cut, piece]);
    this.#cut = new Uint8Array();
    if (this.#encoding === null) {
      // A byte order mark determines the encoding; it may arrive in pieces.
      if (bytes.length < LONGEST_MARK && !isEnd) return this.#keep(bytes);
      this.#encoding = this.#begin(bytes);
      if (this.#encoding === "utf-8" && bytes[0] === 0xef) return this.#inUtf8(bytes, isEnd).replace(/^\ufeff/, "");
    }
    return this.#encoding === "utf-8" ? this.#inUtf8(bytes, isEnd) : this.#decoder.decode(bytes, { stream: !isEnd });
  }

  #inChosen(bytes: Uint8Array, isEnd: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream: !isEnd });
    } catch {
      throw invalidField("file", `The file is not ${this.#encoding}.`, "invalid_encoding");
    }
  }

  #begin(bytes: Uint8Array): CsvEncoding {
    const encoding = utf16By(bytes);
    if (encoding) this.#decoder = new TextDecoder(encoding);
    return encoding ?? "utf-8";
  }

  #keep(bytes: Uint8Array): string {
    this.#cut = bytes.slice();
    return "";
  }

  #inUtf8(bytes: Uint8Array, isEnd: boolean): string {
    const whole = isEnd ? bytes : bytes.subarray(0, lastWhole(bytes));
    this.#keep(bytes.subarray(whole.length));
    try {
      return this.#decoder.decode(whole);
    } catch {
      return this.#inWindows(bytes);
    } finally {
      this.#isAscii &&= !whole.some((byte) => byte >= 0x80);
    }
  }

  /** The encoding of spreadsheets without UTF-8. @throws AppError if the first character beyond ASCII is UTF-8 */
  #inWindows(bytes: Uint8Array): string {
    const first = bytes.findIndex((byte) => byte >= 0x80);
    if (!this.#isAscii || this.#isCharacter(bytes.subarray(first, first + lengthFrom(bytes[first] ?? 0))))
      throw invalidField("file", "The file is neither UTF-8 nor Windows-1252.", "invalid_encoding");
    this.#cut = new Uint8Array();
    this.#encoding = "windows-1252";
    this.#decoder = new TextDecoder("windows-1252");
    return this.#decoder.decode(bytes, { stream: true });
  }

  #isCharacter(bytes: Uint8Array): boolean {
    try {
      return this.#decoder.decode(bytes) !== "";
    } catch {
      return false;
    }
  }
}

/** Holds the first record back until the second is known: a column's cells may determine the meaning of its name. */
class FirstRecord {
  #first: CsvRecord | null = null;
  #isOver = false;

  of(records: Iterable<CsvRecord>): Iterable<CsvRecord> {
    return this.#isOver ? records : this.#begun(records);
  }

  *#begun(records: Iterable<CsvRecord>): Generator<CsvRecord> {
    for (const record of records) {
      if (this.#isOver) yield record;
      else if (this.#first === null) this.#first = record;
      else {
        this.#isOver = true;
        yield { next: record.cells, ...this.#first };
        yield record;
      }
    }
  }

  /** The first record of a file without a second one. */
  alone(): readonly CsvRecord[] {
    return this.#first === null || this.#isOver ? [] : [this.#first];
  }
}

/** The longest byte order mark. */
const LONGEST_MARK = 3;

/** The number of bytes of a character that begins with this byte. */
function lengthFrom(byte: number): number {
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
}

/** In UTF-8: the start of the last character if it is cut off, else the end. */
function lastWhole(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte >= 0xc0) return lengthFrom(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Yields to the event loop between pieces of long work. */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Detects UTF-16 by its byte order mark or, without one, by the NUL beside a first ASCII letter, which no text has. */
function utf16By([first, second]: Uint8Array): CsvEncoding | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return null;
}
