// The files of an archive, as the rows of an import name them.
import type { ConsentStatus } from "../consent.ts";
import type { CsvEncoding } from "../records.ts";

/** Why a file is left out: it is neither CSV nor a workbook, or has no column of addresses. */
export const LEFT_OUT = ["no_list", "no_addresses"] as const;

export type FileInArchive = {
  /** Its path in the archive, for people only. */
  readonly name: string;
  /** The state that its name and header give all its people; null = none. */
  readonly standing: ConsentStatus | null;
  /** Null = it is read. */
  readonly leftOut: (typeof LEFT_OUT)[number] | null;
  readonly encoding: CsvEncoding;
  /** The last row number of the files before it: the rows of all files are numbered as those of one. */
  readonly before: number;
};

export function isRead({ leftOut }: FileInArchive): boolean {
  return leftOut === null;
}

export type FileStart = Pick<FileInArchive, "name" | "before">;

/** The index of the file that has the row; -1 = the import has but one file. `files`: those that are read. */
export function fileWith(files: readonly FileStart[], row: number): number {
  return files.findLastIndex(({ before }) => before < row);
}

/** The number of the row in its own file, and the file's name, unless the import has but one. */
export function placeIn(files: readonly FileStart[], row: number): { readonly row: number; readonly file?: string } {
  const file = files[fileWith(files, row)];
  return file ? { row: row - file.before, file: file.name } : { row };
}
