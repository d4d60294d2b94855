// An Excel workbook (.xlsx, ECMA-376): the rows of its first visible sheet. It comes from strangers, so what it unpacks
// to is bounded, and only the parts that are needed are read.
import { posix } from "node:path";
import { BrokenZip, zipEntries, type ZipEntry } from "../../../base/zip.ts";
import type { CsvRecord } from "../syntax.ts";
import { WorkbookFault } from "./fault.ts";
import { builtInFormat, formatOf, type NumberFormat } from "./formats.ts";
import { piecesOf, readPart, UnpackingBudget, type Attributes } from "./part.ts";
import { SheetRows, type SheetSurroundings } from "./sheet.ts";
import { SharedStrings } from "./strings.ts";
import { TextRuns } from "./text.ts";

/** Sheets, pictures, comments: a large workbook has some hundreds. */
const MAX_PARTS = 10_000;
const MAX_BYTES = 1024 * 1024 * 1024;
/** Sheets shrink to a twentieth. A far higher ratio marks a bomb. */
const MAX_RATIO = 200;
const FREE_BYTES = 16 * 1024 * 1024;
/** More than Excel allows in one workbook. */
const MAX_FORMATS = 100_000;
const MAX_FORMAT_CHARS = 255;
const MAX_RELATIONS = 10_000;

/** The first byte of the container of old Office files, and of encrypted ones. */
const OLD_SIGN = 0xd0;
const ENCRYPTED = Buffer.from("EncryptedPackage", "utf16le");

/** How much archives of this many bytes may unpack to. */
export function budgetFor(packedBytes: number): UnpackingBudget {
  return new UnpackingBudget(Math.min(MAX_BYTES, Math.max(FREE_BYTES, packedBytes * MAX_RATIO)));
}

/** The rows in batches. `budget`: shared with an archive that has the workbook in it. @throws WorkbookFault */
export async function* rowsOf(
  bytes: Uint8Array,
  budget = budgetFor(bytes.length),
): AsyncGenerator<readonly CsvRecord[]> {
  if (bytes[0] === OLD_SIGN)
    throw new WorkbookFault(Buffer.from(bytes).includes(ENCRYPTED) ? "protected_file" : "spreadsheet_file");
  try {
    const workbook = new Workbook(bytes, budget);
    const { sheet, ...around } = await workbook.openSheet();
    const rows = new SheetRows(around, workbook.budget);
    for await (const _ of piecesOf(sheet, workbook.budget, rows)) if (rows.isFull) yield rows.drain();
    yield rows.drain();
  } catch (error) {
    throw isDamage(error) ? new WorkbookFault("broken_file") : error;
  }
}

/** True for what a damaged archive, its packing or its encoding causes. */
export function isDamage(error: unknown): boolean {
  return error instanceof BrokenZip || /^(?:Z_|ERR_ENCODING)/.test((error as { code?: string }).code ?? "");
}

type Relation = { readonly id: string; readonly kind: string; readonly target: string };
type OpenedWorkbook = SheetSurroundings & { readonly sheet: ZipEntry };

class Workbook {
  readonly #parts: ReadonlyMap<string, ZipEntry>;

  constructor(
    bytes: Uint8Array,
    readonly budget: UnpackingBudget,
  ) {
    this.#parts = new Map(zipEntries(bytes, MAX_PARTS).map((part) => [part.name.toLowerCase(), part]));
  }

  /** @throws WorkbookFault */
  async openSheet(): Promise<OpenedWorkbook> {
    const main = (await this.#relationsOf("")).find(({ kind }) => kind === "officeDocument")?.target ?? "";
    if (/^(?:word|ppt)\//i.test(main)) throw new WorkbookFault("document_file");
    if (/\.bin$/i.test(main)) throw new WorkbookFault("spreadsheet_file");
    const relations = await this.#relationsOf(main);
    const { is1904, sheets } = await this.#mainOf(main);
    const sheet = sheets.flatMap((id) => relations.find((one) => one.id === id && one.kind === "worksheet") ?? [])[0];
    const target = (kind: string) => relations.find((one) => one.kind === kind)?.target;
    return {
      is1904,
      sheet: this.#part(sheet?.target ?? ""),
      formats: await this.#formatsIn(target("styles")),
      strings: await this.#stringsIn(target("sharedStrings")),
    };
  }

  #part(name: string): ZipEntry {
    const part = this.#parts.get(name.toLowerCase());
    if (!part) throw new WorkbookFault("broken_file");
    return part;
  }

  /** The other parts that the part names, each with its kind: `worksheet`, `styles`. `""`: the workbook as a whole. */
  async #relationsOf(part: string): Promise<readonly Relation[]> {
    const folder = posix.dirname(part);
    const relations: Relation[] = [];
    await readPart(this.#part(posix.join(folder, "_rels", `${posix.basename(part)}.rels`)), this.budget, {
      open: (name, { Id: id = "", Type: type = "", Target: target = "", TargetMode: mode }) => {
        if (name !== "Relationship" || mode === "External") return;
        if (relations.length >= MAX_RELATIONS) throw new WorkbookFault("big_file");
        const path = posix.join(target.startsWith("/") ? "" : folder, target.replace(/^\//, ""));
        relations.push({ id, kind: type.slice(type.lastIndexOf("/") + 1), target: path });
      },
    });
    return relations;
  }

  /** `sheets`: the relations of those that are visible, in order. */
  async #mainOf(part: string): Promise<{ readonly is1904: boolean; readonly sheets: readonly string[] }> {
    let is1904 = false;
    const sheets: string[] = [];
    await readPart(this.#part(part), this.budget, {
      open: (name, attributes) => {
        if (name === "workbookPr") is1904 = /^(?:1|true)$/.test(attributes["date1904"] ?? "");
        if (name === "sheet" && (attributes["state"] ?? "visible") === "visible" && sheets.length < MAX_RELATIONS)
          sheets.push(relationIn(attributes));
      },
    });
    return { is1904, sheets };
  }

  async #formatsIn(part: string | undefined): Promise<readonly NumberFormat[]> {
    if (part === undefined) return [];
    const own = new Map<string, NumberFormat>();
    const formats: NumberFormat[] = [];
    let isOfCells = false;
    await readPart(this.#part(part), this.budget, {
      open: (name, { numFmtId: id = "0", formatCode: code = "" }) => {
        if (name === "cellXfs") isOfCells = true;
        if (name === "numFmt") own.set(id, formatOf(code.slice(0, MAX_FORMAT_CHARS)));
        if (name === "xf" && isOfCells) formats.push(own.get(id) ?? builtInFormat(Number(id)));
        if (formats.length > MAX_FORMATS || own.size > MAX_FORMATS) throw new WorkbookFault("big_file");
      },
      close: (name) => {
        if (name === "cellXfs") isOfCells = false;
      },
    });
    return formats;
  }

  async #stringsIn(part: string | undefined): Promise<SharedStrings> {
    const strings = new SharedStrings();
    if (part === undefined) return strings;
    const runs = new TextRuns();
    await readPart(this.#part(part), this.budget, {
      open: (name) => runs.open(name),
      text: (text) => runs.add(text),
      close: (name) => {
        runs.close(name);
        if (name === "si") strings.add(runs.told());
      },
    });
    return strings;
  }
}

/** `r:id`, with any prefix. */
function relationIn(attributes: Attributes): string {
  return Object.entries(attributes).find(([name]) => name.endsWith(":id"))?.[1] ?? "";
}
