// Reads the head of an Excel workbook or an archive through the server, which also reads the rest.
import { call } from "../../../calls/api.ts";
import type { FileHead } from "./file-head.ts";

const MAX_COLUMNS = 2_000;
/** The API needs a column of addresses; all others are left out, so that no names collide. */
const ONLY_LOOKED_AT = ["email", ...Array.from({ length: MAX_COLUMNS - 1 }, () => "")];

/** @throws Fault if the file is neither, or cannot be read */
export async function packedHeadOf(file: File): Promise<FileHead> {
  const form = new FormData();
  form.append("columns", JSON.stringify(ONLY_LOOKED_AT));
  form.append("file", file);
  const { columns } = await call("POST /contacts/import/check", { body: form });
  const rows = Math.max(0, ...columns.map(({ examples }) => examples.length));
  return {
    file,
    name: file.name,
    encoding: "utf-8",
    delimiter: null,
    columns: columns.map(({ name }) => name.trim()),
    samples: Array.from({ length: rows }, (_, row) => columns.map(({ examples }) => examples[row] ?? "")),
  };
}
