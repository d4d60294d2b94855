// Why an archive is not read.
import { AppError } from "../../../base/errors.ts";
import { WorkbookFault } from "../workbook/fault.ts";

const MAX_NAME_CHARS = 200;

/** By code: what the caller is told. */
const MESSAGES = {
  protected_zip: "This archive is protected by a password. Unpack it, and import the files in it.",
  broken_zip: "This archive is damaged, or of a kind that is not read. Unpack it, and import the files in it.",
  big_zip: "This archive has too much in it: at most 100 files, and 1 GB once unpacked. Import its files one by one.",
  empty_zip: "There is no CSV file and no workbook in this archive.",
} as const;

/** It crosses between threads with its message, its code and the field at fault. */
class ArchiveFault extends Error {
  override readonly name = "ArchiveFault";
  readonly path = "file";

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Files of these kinds are no lists. */
const NO_LIST = /^(document|pdf|picture|page|json|card|binary)_file$/;

/** True if the file is no list: it is left out, and the archive is still read. */
export function isOfNoList(error: unknown): boolean {
  return error instanceof ArchiveFault && NO_LIST.test(error.code);
}

/** The error of a file, with its name. */
export function faultIn(name: string, error: unknown): unknown {
  if (error instanceof WorkbookFault && error.code === "big_file") return fault("big_zip");
  if (error instanceof WorkbookFault) return new ArchiveFault(error.code, `${shownName(name)}: ${error.message}`);
  const [field] = error instanceof AppError ? (error.details.errors ?? []) : [];
  if (field) return new ArchiveFault(field.code ?? "", `${shownName(name)}: ${field.message}`);
  return error;
}

export function fault(code: keyof typeof MESSAGES): ArchiveFault {
  return new ArchiveFault(code, MESSAGES[code]);
}

export function shownName(name: string): string {
  return name
    .slice(-MAX_NAME_CHARS)
    .replace(/\p{Cc}/gu, "")
    .toWellFormed();
}
