// The columns of each table as the schema has them, for code that walks whole tables.
import { SCHEMA } from "../../store/migrations.ts";

export type ColumnType = "text" | "number" | "flag" | "json" | "bytes";

export type SchemaColumn = {
  readonly name: string;
  readonly type: ColumnType;
  /** A column for texts, also if they are JSON. */
  readonly isText: boolean;
  /** Never null. */
  readonly isNeeded: boolean;
  /** The table of a foreign key. */
  readonly references: string | null;
  /** A deletion of that row deletes this one. */
  readonly isPart: boolean;
};

export type SchemaTable = {
  readonly name: string;
  /** Without those that the database makes of others, and without the number of the row. */
  readonly columns: readonly SchemaColumn[];
  /** The columns of its primary key; `seq` where rows are numbered. */
  readonly key: readonly string[];
  /** The columns with texts of which no two rows of the installation have the same. */
  readonly unique: readonly string[];
  /** An index has the rows of one workspace in the order of the key. */
  readonly hasOrder: boolean;
};

/** @throws Error if the schema has no such table */
export function schemaTable(name: string): SchemaTable {
  const body = new RegExp(`^create table ${name} \\(\\n([^]*?)\\n\\)`, "m").exec(SCHEMA)?.[1];
  if (body === undefined) throw new Error(`There is no table ${name}.`);
  const lines = body.replaceAll(/in\n +\(/g, "in (").split("\n");
  const key = lines.flatMap((line) => /^ {2}primary key \((.+?)\)/.exec(line)?.[1]?.split(", ") ?? keyIn(line));
  const columns = lines.flatMap(columnIn).map((one) => (key.includes(one.name) ? { ...one, isNeeded: true } : one));
  const unique = lines.flatMap((line) => /^ {2}(\w+) text (?:not null )?unique\b/.exec(line)?.[1] ?? []);
  return { name, columns, key, unique, hasOrder: hasOrder(name, key) };
}

/** An index of SQLite has the number of the row at its end. */
function hasOrder(name: string, key: readonly string[]): boolean {
  const rest = key[0] === "seq" ? "(, seq\\b[^)]*)?" : `, ${key.join(", ")}`;
  return (
    key[0] === "workspace" ||
    new RegExp(`^create index \\w+ on ${name} \\(workspace${rest}\\)( where workspace is not null)?;`, "m").test(SCHEMA)
  );
}

function keyIn(line: string): string[] {
  const [, name, type = ""] = COLUMN.exec(line) ?? [];
  return name !== undefined && (type === "{serial}" || /\bprimary key\b/.test(line)) ? [name] : [];
}

const COLUMN = /^ {2}"?(\w+)"? (\{\w+\}|[a-z]+)/;
/** Beginnings of lines that are no columns. */
const RULES = ["primary", "foreign", "unique", "check"];

function columnIn(line: string): SchemaColumn[] {
  const [said = "", comment = ""] = line.split(" -- ");
  const [, name, type = ""] = COLUMN.exec(said) ?? [];
  if (name === undefined || RULES.includes(name) || type === "{serial}" || type === "{queried}") return [];
  const isText = type === "text";
  return [
    {
      name,
      type: typeOf(type, said, comment),
      isText,
      isNeeded: /not null/.test(said),
      references: /references (\w+)/.exec(said)?.[1] ?? null,
      isPart: /on delete cascade/.test(said),
    },
  ];
}

function typeOf(type: string, said: string, comment: string): ColumnType {
  if (type === "{json}" || (type === "text" && /\bJSON\b/.test(comment))) return "json";
  if (type === "{bytes}") return "bytes";
  if (type === "text") return "text";
  return /in \(0, 1\)/.test(said) ? "flag" : "number";
}
