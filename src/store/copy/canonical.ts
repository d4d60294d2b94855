// Rows as text that is the same on both engines, and checksums over it.
import type { Column, CopiedTable, Row } from "./plan.ts";

/** One line a row: JSON with its keys in order and its white space gone, bytes as their SHA-256. */
export function canonical({ columns }: CopiedTable, row: Row): string {
  return columns.map((column) => canonicalValue(column, row)).join(",");
}

export function canonicalValue({ name, kind }: Column, row: Row): string {
  const value = row[name] ?? null;
  if (value instanceof Uint8Array) return `"${sha256Of(value)}"`;
  if (typeof value === "bigint") return String(value);
  if (kind === "json" && typeof value === "string") return inOneForm(JSON.parse(value));
  return JSON.stringify(value);
}

/** The engines keep the keys of objects in different orders. */
function inOneForm(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneForm).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => [JSON.stringify(key), inOneForm(inner)] as const);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, inner]) => `${key}:${inner}`).join(",")}}`;
}

function sha256Of(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** A checksum over rows, one after the other; it can be asked for at any row. */
export class Checksum {
  readonly #hasher = new Bun.CryptoHasher("sha256");
  rows = 0;

  add(canonicalRow: string): void {
    this.#hasher.update(`${canonicalRow}\n`);
    this.rows++;
  }

  /** SHA-256 in hex, of the rows so far. */
  get hex(): string {
    return this.#hasher.copy().digest("hex");
  }
}
