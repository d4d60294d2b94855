// How verbs print records: JSON on one line for programs, columns for people.
import type { VerbCall } from "./verb.ts";

type TableRow = Readonly<Record<string, string>>;

/** Prints one record: as JSON, or in the words of `text`. */
export function printOne(call: VerbCall, record: object, text: () => string): void {
  call.io.out(call.flag("json") ? JSON.stringify(record) : text());
}

/** Prints a list: as a JSON array, as a table with one `row` an item, or as `none` if it is empty. */
export function printList<Item extends object>(
  call: VerbCall,
  items: readonly Item[],
  row: (item: Item) => TableRow,
  none: string,
): void {
  if (call.flag("json")) return call.io.out(JSON.stringify(items));
  if (items.length === 0) return call.io.out(none);
  table(items.map(row)).forEach((line) => call.io.out(line));
}

/** The keys of a new set; they cannot be shown again. */
export function keyLines(keys: { readonly secret: string; readonly public: string }): string {
  return `  secret  ${keys.secret}\n  public  ${keys.public}`;
}

/** One line a row under the names of the columns, which are those of the first row. */
export function table(rows: readonly TableRow[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names.map((name) => name.toUpperCase()), ...rows.map((row) => names.map((name) => row[name] ?? ""))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join("  ")
      .trimEnd(),
  );
}
