// Recognises files by their first bytes before the upload: the server reads workbooks and archives, others are refused.

/** The same patterns as in src/audience/csv/other-files.ts. */
const KINDS = {
  document: /^PK\x03\x04[^]*?(?:\b(?:word|ppt)\/|opendocument\.(?:text|presentation))|^\{\\rtf/,
  spreadsheet: /^PK\x03\x04[^]*?(?:opendocument|Index\/[\w/-]+\.iwa|preview(?:-\w+)?\.jpg|Metadata\/\w+\.plist)/,
  // Includes old and encrypted workbooks, which the server distinguishes.
  workbook: /^PK\x03\x04[^]*?(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/|\bxl\/)|^\xd0\xcf\x11\xe0/,
  zip: /^PK(?:\x03\x04|\x05\x06|\x07\x08)/,
  compressed: /^(?:\x1f\x8b|BZh\d|7z\xbc\xaf|Rar!|\xfd7zXZ|\x28\xb5\x2f\xfd)/,
  pdf: /^%PDF-/,
  picture:
    /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP|BM[^]{4}\0{4}|II\*\0|MM\0\*|[^]{4}ftyp(?:hei|mif1|msf1|avif)|\s*<svg)/,
  page: /^(?:\xef\xbb\xbf)?\s*<(?:!doctype|!--|\?xml|html|head|meta|style|body|div|table)/i,
  json: /^(?:\xef\xbb\xbf)?\s*(?:\[\s*\{|\{\s*")/,
  card: /^(?:\xef\xbb\xbf)?\s*BEGIN:VCARD/i,
  // A NUL byte and control characters that text does not have. In UTF-16, a NUL byte stands beside the first letter.
  binary: /^(?!\xff\xfe|\xfe\xff|[^\0]\0|\0[^\0])(?=[^]*\0)[^]*[\x01-\x08\x0e-\x1a\x1c-\x1f]/,
} as const;
export type OtherFile = keyof typeof KINDS;

const LOOKED_AT_BYTES = 2_048;

/** Null = it may be CSV. */
export async function otherFileIn(file: File): Promise<OtherFile | null> {
  const bytes = new Uint8Array(await file.slice(0, LOOKED_AT_BYTES).arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return (Object.keys(KINDS) as OtherFile[]).find((kind) => KINDS[kind].test(text)) ?? null;
}
