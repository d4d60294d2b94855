// The records of a file of contacts, as its bytes arrive.
import { invalidField } from "../../errors.ts";
import { CsvReader, type CsvRecord } from "./syntax.ts";

/** Some at a time. @throws AppError VALIDATION_ERROR on `file`, and what reading it throws */
export async function* recordsIn(file: AsyncIterable<Uint8Array>): AsyncGenerator<Iterable<CsvRecord>> {
  const reader = new CsvReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const piece of file) yield reader.push(decoded(() => decoder.decode(piece, { stream: true })));
  yield reader.push(decoded(() => decoder.decode()));
  yield reader.end();
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw invalidField("file", "The file is not UTF-8.", "invalid_encoding");
  }
}

/** Between pieces of long work. */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
