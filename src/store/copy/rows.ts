// Rows of the target of a copy, read in the order of their key.
import type { CopyColumn, CopiedTable, CopyRow } from "./plan.ts";
import type { PostgresConnection } from "../postgres/connection.ts";

export type OrderedRows = {
  /** The next `count` rows, fewer at the end. The caller knows how many fit into memory. */
  next(count: number): Promise<readonly CopyRow[]>;
  close(): Promise<void>;
};

/** One table at a time in a transaction. Text is in the order of its bytes, not of the database's collation. */
export async function openRows(tx: PostgresConnection, { name, columns, key }: CopiedTable): Promise<OrderedRows> {
  const isText = (column: string) => columns.some((one) => one.name === column && one.kind === "text");
  const order = key.map((column) => `"${column}"${isText(column) ? ' collate "C"' : ""}`).join(", ");
  const selected = columns.map(readable).join(", ");
  await tx.unsafe(`declare rows no scroll cursor for select ${selected} from "${name}" order by ${order}`);
  return {
    next: async (count) => tx.unsafe(`fetch ${count} from rows`),
    close: async () => void (await tx.unsafe("close rows")),
  };
}

/** Bytes are compared by a hash that the server computes, so that they do not travel once more. */
function readable({ name, kind }: CopyColumn): string {
  if (kind === "json") return `"${name}"::text as "${name}"`;
  if (kind === "bytes") return `encode(sha256("${name}"), 'hex') as "${name}"`;
  return `"${name}"`;
}
