// The schema as it is written: tables, their columns, and the map at its head.
import { readFileSync } from "node:fs";

const text = [...new Bun.Glob("migrations/*.sql").scanSync()]
  .toSorted()
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

export type SchemaColumn = {
  readonly name: string;
  /** As written; words in braces are the engine's. */
  readonly type: string;
  readonly isNeeded: boolean;
  readonly references: string | null;
  /** Of those that it may have. */
  readonly firstValue: string | null;
  /** What it holds, if its comment says JSON. */
  readonly json: "[]" | "{}" | null;
};

export function columnsOf(table: string): SchemaColumn[] {
  const start = text.indexOf(`create table ${table} (\n`);
  const body = text
    .slice(text.indexOf("\n", start) + 1, text.indexOf("\n)", start))
    .replaceAll(/ check \([^()]*in\n +\(/g, " check (x in (");
  return body.split("\n").flatMap((line) => {
    const [said = "", comment = ""] = line.split(" -- ");
    const [, name, type] = /^ {2}"?(\w+)"? (\{\w+\}|[a-z]+)/.exec(said) ?? [];
    if (!name || !type || /^(primary|foreign|unique|check)$/.test(name)) return [];
    return {
      name,
      type,
      isNeeded: /not null|primary key/.test(said) && !/ default /.test(said),
      references: /references (\w+)/.exec(said)?.[1] ?? null,
      firstValue: /in \('?([\w-]+)/.exec(said)?.[1] ?? null,
      json: !/\bJSON\b/.test(comment) ? null : /JSON array/.test(comment) ? "[]" : "{}",
    };
  });
}

export function mapOfTables(): { readonly room: string; readonly table: string }[] {
  const map = text.slice(text.indexOf("The map"), text.indexOf("`seq`"));
  let room = "";
  return [...map.matchAll(/^-- {3}(src\/[\w/-]+)? +([a-z_]+) {2,}\S/gm)].map(([, owner, table = ""]) => ({
    room: (room = owner ?? room),
    table,
  }));
}
