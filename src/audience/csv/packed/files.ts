// The files of an archive, as the rows of an import name them.
import type { ConsentStanding } from "../consent.ts";
import type { CsvEncoding } from "../records.ts";

/** Why a file is left out: it is no list at all, or has no column of addresses. */
export const LEFT_OUT = ["no_list", "no_addresses"] as const;

export type FileInArchive = {
  /** Its path in the archive, for people only. */
  readonly name: string;
  /** What its name and its header say of everybody in it; null = nothing. */
  readonly standing: ConsentStanding | null;
  /** Null = it is read. */
  readonly leftOut: (typeof LEFT_OUT)[number] | null;
  readonly encoding: CsvEncoding;
  /** The rows before its first one: those of all files are numbered on, as if they were one. */
  readonly before: number;
};

export type FileStart = Pick<FileInArchive, "name" | "before">;

/** The number of the row in its own file, and the name of that; none if there is but one file. */
export function placeIn(files: readonly FileStart[], row: number): { readonly row: number; readonly file?: string } {
  const file = files.findLast(({ before }) => before < row);
  return file ? { row: row - file.before, file: file.name } : { row };
}
