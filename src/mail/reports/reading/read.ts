// The reports in a message: in its files, or as its text.
import { readDmarc } from "./dmarc.ts";
import { Unreadable, type ReportFault, type ReadReports, type DomainReport } from "./report.ts";
import { readTls } from "./tls.ts";
import { isPacked, unpacked } from "./unpack.ts";

/** A report is one file. A message with many more is not a report. */
const MOST_FILES = 10;

/** `charset`: as declared in the message; null = not declared. */
export type File = { readonly bytes: Uint8Array; readonly charset: string | null };
/** Decodes bytes, whatever charset is declared (null = none). */
type Decode = (bytes: Uint8Array, declared: string | null) => string;

/** All files that are reports, each once; else the fault of the first that could be one. Never throws. */
export function readReports(files: readonly File[], text: string, decode: Decode): ReadReports {
  const found = new Map<string, DomainReport>();
  let fault: ReportFault = "none";
  const note = (read: () => readonly DomainReport[]) => {
    try {
      for (const report of read()) found.set(JSON.stringify(report), report);
    } catch (error) {
      if (fault === "none") fault = error instanceof Unreadable ? error.fault : "fields";
    }
  };
  for (const { bytes, charset } of files.slice(0, MOST_FILES)) {
    if (isPacked(bytes)) note(() => reportsIn(unpacked(bytes), decode));
    else if (mayBeReport(bytes)) note(() => reportsOf(textIn(unpacked(bytes)[0] as Uint8Array, charset, decode)));
  }
  if (/^\uFEFF?\s*[<{]/.test(text)) note(() => reportsOf(text));
  return found.size > 0 ? { reports: [...found.values()] } : { fault };
}

/**
 * An archive may have several, and other files beside them.
 * @throws Unreadable if it has no report
 */
function reportsIn(files: readonly Uint8Array[], decode: Decode): readonly DomainReport[] {
  const reports: DomainReport[] = [];
  let first: unknown = new Unreadable("unpacking");
  for (const bytes of files.toReversed())
    try {
      reports.unshift(...reportsOf(textIn(bytes, null, decode)));
    } catch (error) {
      first = error;
    }
  if (reports.length === 0) throw first;
  return reports;
}

const HEAD_BYTES = 200;

function mayBeReport(bytes: Uint8Array): boolean {
  const head = headOf(bytes);
  return /^(\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)?[\s\0]*[<{]/.test(head);
}

function headOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
}

/** By its first bytes, by the declaration of the XML (XML 1.0 §4.3.3, appendix F), or by that of the message. */
function textIn(bytes: Uint8Array, charset: string | null, decode: Decode): string {
  const head = headOf(bytes);
  if (/^\xFF\xFE|^[\s<{]\0/.test(head)) return decode(bytes, "utf-16le");
  if (/^\xFE\xFF|^\0[\s<{]/.test(head)) return decode(bytes, "utf-16be");
  if (head.startsWith("\xEF\xBB\xBF")) return decode(bytes, "utf-8");
  const declared = /^\s*<\?xml[^>]{0,150}\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head)?.[1] ?? charset;
  // A declared UTF-16 or UTF-32 without its form is a mistake.
  return decode(bytes, declared !== null && /^u(tf|cs)-?(16|32|2|4)/i.test(declared) ? null : declared);
}

/** Neither format has NULs; some senders pad their reports with them. */
function reportsOf(whole: string): readonly DomainReport[] {
  const text = whole.replaceAll("\0", "");
  return /^\uFEFF?\s*\{/.test(text) ? readTls(text) : [readDmarc(text)];
}
