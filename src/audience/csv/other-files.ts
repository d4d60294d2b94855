// Files that are no lists, recognized by their first bytes.
import { invalidField } from "../../base/errors.ts";

/** The kind of file, and advice for it (null = it is read); kept in step with web/people/import/file/other-files.ts. */
const KINDS = {
  document: [
    /^PK\x03\x04[^]*?(?:\b(?:word|ppt)\/|opendocument\.(?:text|presentation))|^\{\\rtf/,
    "This is a text document. Put its list into a spreadsheet, save that as CSV, and import that file.",
  ],
  spreadsheet: [
    /^PK\x03\x04[^]*?(?:opendocument|Index\/[\w/-]+\.iwa|preview(?:-\w+)?\.jpg|Metadata\/\w+\.plist)/,
    "This is a spreadsheet, but not .xlsx. Save it as .xlsx or CSV, and import that file.",
  ],
  // With the old and the protected ones, which are told apart by their content.
  workbook: [/^PK\x03\x04[^]*?(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/|\bxl\/)|^\xd0\xcf\x11\xe0/, null],
  zip: [/^PK(?:\x03\x04|\x05\x06|\x07\x08)/, "This is a ZIP archive. Unpack it, and import the CSV files in it."],
  compressed: [
    /^(?:\x1f\x8b|BZh\d|7z\xbc\xaf|Rar!|\xfd7zXZ|\x28\xb5\x2f\xfd)/,
    "This is a compressed file. Unpack it, and import the CSV file in it.",
  ],
  pdf: [/^%PDF-/, "This is a PDF. Export the list as CSV, and import that file."],
  picture: [
    /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP|BM[^]{4}\0{4}|II\*\0|MM\0\*|[^]{4}ftyp(?:hei|mif1|msf1|avif)|\s*<svg)/,
    "This is a picture. Export the list as CSV, and import that file.",
  ],
  page: [
    /^(?:\xef\xbb\xbf)?\s*<(?:!doctype|!--|\?xml|html|head|meta|style|body|div|table)/i,
    "This is a web page or XML. Export the list as CSV, and import that file.",
  ],
  json: [/^(?:\xef\xbb\xbf)?\s*(?:\[\s*\{|\{\s*")/, "This is JSON. Export the list as CSV, and import that file."],
  card: [
    /^(?:\xef\xbb\xbf)?\s*BEGIN:VCARD/i,
    "This is an address book (vCard). Export the contacts as CSV, and import that file.",
  ],
  // A NUL byte and control characters that no text has; in UTF-16 a NUL stands beside the first letter.
  binary: [
    /^(?!\xff\xfe|\xfe\xff|[^\0]\0|\0[^\0])(?=[^]*\0)[^]*[\x01-\x08\x0e-\x1a\x1c-\x1f]/,
    "This is a file of another program, and no text. Export the list as CSV, and import that file.",
  ],
} as const satisfies Readonly<Record<string, readonly [RegExp, string | null]>>;

/** Enough bytes to tell the kinds apart. */
const LOOKED_AT_BYTES = 2_048;

/**
 * Passes the file through unchanged.
 * @throws AppError VALIDATION_ERROR on `file` for a file that is neither CSV nor a workbook, nor an archive where one
 * may be
 */
export async function* readable(file: AsyncIterable<Uint8Array>, mayBeArchive = false): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array();
  for await (const piece of file) {
    if (head === null) {
      yield piece;
      continue;
    }
    head = head.length === 0 ? piece.slice() : Buffer.concat([head, piece]);
    if (head.length < LOOKED_AT_BYTES) continue;
    refuseOther(head, mayBeArchive);
    yield head;
    head = null;
  }
  if (head === null || head.length === 0) return;
  refuseOther(head, mayBeArchive);
  yield head;
}

function refuseOther(head: Uint8Array, mayBeArchive: boolean): void {
  const [kind, message] = kindOf(head) ?? [];
  if (message && !(mayBeArchive && kind === "zip")) throw invalidField("file", message, `${kind}_file`);
}

/** By the first bytes of a file. */
export function isWorkbook(head: Uint8Array): boolean {
  return kindOf(head)?.[0] === "workbook";
}

/** True for a workbook or an archive, by the first bytes of a file as `readable` passes them on. */
export function isPacked(head: Uint8Array): boolean {
  return isWorkbook(head) || kindOf(head)?.[0] === "zip";
}

function kindOf(head: Uint8Array): readonly [kind: string, message: string | null] | null {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, LOOKED_AT_BYTES)).toString("latin1");
  const found = Object.entries(KINDS).find(([, [begins]]) => begins.test(text));
  return found ? [found[0], found[1][1]] : null;
}
