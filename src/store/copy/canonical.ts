// Rows as text that is the same on both engines, and checksums over it.
import type { CopyColumn, CopiedTable, CopyRow } from "./plan.ts";

/** One line a row: JSON without white space, bytes as their SHA-256. */
export function canonical({ columns }: CopiedTable, row: CopyRow): string {
  return columns.map((column) => canonicalValue(column, row)).join(",");
}

export function canonicalValue({ name, kind }: CopyColumn, row: CopyRow): string {
  const value = row[name] ?? null;
  if (value instanceof Uint8Array) return `"${sha256Of(value)}"`;
  if (typeof value === "bigint") return String(value);
  if (kind === "json" && typeof value === "string") return JSON.stringify(JSON.parse(value));
  return JSON.stringify(value);
}

function sha256Of(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** A running checksum over rows; it can be read after any row. */
export class Checksum {
  readonly #hasher = new Bun.CryptoHasher("sha256");
  rows = 0;

  add(canonicalRow: string): void {
    this.#hasher.update(`${canonicalRow}\n`);
    this.rows++;
  }

  /** SHA-256 in hex, over the rows so far. */
  get hex(): string {
    return this.#hasher.copy().digest("hex");
  }
}
