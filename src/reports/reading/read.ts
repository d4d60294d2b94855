// The report in a message: in one of its files, or as its text.
import { readDmarc } from "./dmarc.ts";
import { Unreadable, type Fault, type ReadReport, type Report } from "./report.ts";
import { readTls } from "./tls.ts";
import { isPacked, unpacked } from "./unpack.ts";

/** A report is one file. A message with many more is something else. */
const MOST_FILES = 10;

/** The first file that is a report; else why the first that could be one is none. Never throws. */
export function readReport(files: readonly Uint8Array[], text: string): ReadReport {
  let fault: Fault = "none";
  for (const bytes of [...files.slice(0, MOST_FILES), Buffer.from(text.trim())]) {
    if (!mayBeReport(bytes)) continue;
    try {
      return { report: reportIn(bytes) };
    } catch (error) {
      if (fault === "none") fault = error instanceof Unreadable ? error.fault : "fields";
    }
  }
  return { fault };
}

function mayBeReport(bytes: Uint8Array): boolean {
  return (
    isPacked(bytes) || /^(\uFEFF|\xEF\xBB\xBF)?\s*[<{]/.test(Buffer.from(bytes.subarray(0, 100)).toString("latin1"))
  );
}

function reportIn(bytes: Uint8Array): Report {
  const text = new TextDecoder().decode(unpacked(bytes));
  return /^\s*\{/.test(text) ? readTls(text) : readDmarc(text);
}
