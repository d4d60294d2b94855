// The SQL of the rows that leave with a workspace, with public ids for references.
import { joined, literal, sql, written, type Sql, type Value } from "../../store/sql.ts";
import type { Dialect, Reader } from "../../store/store.ts";
import { filePlan, type FileColumn, type FileTable, type ColumnReference } from "./plan.ts";

/** The rows of a file: those of a workspace that were there at one moment. */
export type FileCut = {
  readonly workspace: number;
  /** The last row of each table with numbers. */
  readonly ends: ReadonlyMap<string, number>;
  /** Events and mails since then; null = all. */
  readonly since: string | null;
};

/** A row as it is read: columns by name, and its key under `k0`, `k1` and so on. */
export type LeavingRow = Readonly<Record<string, Value>>;

/** The last row of each numbered table, at one moment. */
export async function endsNow(reader: Reader): Promise<ReadonlyMap<string, number>> {
  const numbered = filePlan().tables.filter(({ isNumbered }) => isNumbered);
  const each = numbered.map(({ name }) => sql`select ${name} as name, max(seq) as last from ${literal(name)}`);
  const rows = await reader.all<{ name: string; last: number | null }>`${joined(each, " union all ")}`;
  return new Map(rows.map(({ name, last }) => [name, last ?? 0]));
}

type LeavingPage = { readonly after: LeavingRow | null; readonly most: number };

/** In the order of their keys, after the last row. */
export function leavingRows(reader: Reader, cut: FileCut, table: FileTable, page: LeavingPage): Promise<LeavingRow[]> {
  return reader.all<LeavingRow>`${pageOf(reader.dialect, cut, table, page)}`;
}

export function pageOf(dialect: Dialect, cut: FileCut, table: FileTable, { after, most }: LeavingPage): Sql {
  const row = literal("t");
  const key = table.key.map((name) => keyColumn(dialect, table, name));
  const read = [
    ...table.key.map((name, at) => sql`${row}.${quoted(name)} as ${literal(`k${at}`)}`),
    ...table.columns.flatMap((column) => {
      const value = valueOf(cut, table, column);
      return value === null ? [] : sql`${value} as ${quoted(column.name)}`;
    }),
  ];
  const behind = after && sql` and (${joined(key, ", ")}) > (${joined(placeInOrder(table, after), ", ")})`;
  return sql`
    select ${joined(read, ", ")} from ${literal(table.name)} t where ${goes(cut, table, "t")}${behind ?? sql``}
    order by ${joined(key, ", ")} limit ${written(most)}`;
}

/** The public ids of rows that go, in the order of the rows. */
export async function idsOf(reader: Reader, cut: FileCut, table: FileTable, numbers: readonly number[]) {
  const rows = await reader.all<{ id: string }>`
    select x.id from ${literal(table.name)} x
    where ${reader.dialect.isAmong(sql`x.seq`, numbers)} and ${goes(cut, table, "x")} order by x.seq`;
  return rows.map(({ id }) => id);
}

function placeInOrder({ key }: FileTable, row: LeavingRow): Sql[] {
  return key.map((_, at) => sql`${row[`k${at}`] as Value}`);
}

/** Texts in the order of their bytes, as SQLite has them. */
function keyColumn({ name: engine }: Dialect, { columns }: FileTable, name: string): Sql {
  const isText = columns.some((one) => one.name === name && one.type === "text");
  return engine === "postgres" && isText ? sql`t.${quoted(name)} collate "C"` : sql`t.${quoted(name)}`;
}

function quoted(name: string): Sql {
  return literal(`"${name}"`);
}

/** Null = it is not in the file. */
function valueOf(
  cut: FileCut,
  { says, hasWorkspace }: FileTable,
  { name, means, type, isText, ...column }: FileColumn,
) {
  const [row, number] = [literal("t"), sql`t.${quoted(name)}`];
  if (says.as?.[name]) return says.as[name](row);
  if (type === "json" && !isText) return sql`"json"(${number})`;
  if (means === null || means.kind === "rows") return number;
  if (typeof means.of !== "string") return joined([sql`case`, ...kindsOf(means.of).map(idOfKind), sql`end`], " ");
  const of = filePlan().table(means.of);
  const from = sql`(select x.id from ${literal(of.name)} x where`;
  if (means.kind === "upTo") {
    if (!of.hasId) return null;
    return sql`${from} x.workspace = ${cut.workspace} and x.seq <= ${number} and ${goes(cut, of, "x")} order by x.seq desc limit 1)`;
  }
  if (!of.hasId) return number;
  const isSure = isParent({ ...column, means }) || (means.isHeld && hasWorkspace && isPlain(cut, of));
  return sql`${from} x.seq = ${number}${isSure ? sql`` : sql` and ${goes(cut, of, "x")}`})`;

  function idOfKind({ kind, table }: KindOfRow): Sql {
    return sql`when ${kindColumn(means)} = ${kind} then (select x.id from ${literal(table)} x where x.seq = ${number})`;
  }
}

type KindOfRow = { readonly kind: string; readonly table: string };

function kindsOf({ by, tables }: Exclude<ColumnReference["of"], string>): KindOfRow[] {
  return Object.entries(tables).flatMap(([kind, table]) => (kind === "by" || by === kind ? [] : { kind, table }));
}

function kindColumn(means: ColumnReference | null): Sql {
  return sql`t.${quoted((means?.of as Exclude<ColumnReference["of"], string>).by)}`;
}

/** The row goes only if the row of this reference goes. */
function isParent({ isPart, isNeeded, means }: Pick<FileColumn, "isPart" | "isNeeded" | "means">): boolean {
  return means?.kind === "row" && (isPart || isNeeded);
}

/** The condition by which rows of a table go. */
function goes(cut: FileCut, table: FileTable, as: string): Sql {
  const { name, says, hasWorkspace, hasOrder, isNumbered } = table;
  const row = literal(as);
  // Along another index of the workspace, SQLite would read and sort all of its rows for each page.
  const along = literal(hasOrder ? "" : "+");
  const conditions = [
    ...(name === "workspaces" ? [sql`${row}.seq = ${cut.workspace}`] : []),
    ...(hasWorkspace ? [sql`${along}${row}.workspace = ${cut.workspace}`] : []),
    ...(isNumbered ? [sql`${row}.seq <= ${cut.ends.get(name) ?? 0}`] : []),
    ...(says.only ? [says.only(row)] : []),
    ...(says.since && cut.since !== null ? [says.since(row, cut.since)] : []),
    ...table.columns.filter(isParent).map((column) => parentGoes(cut, table, column, as)),
  ];
  return conditions.length === 0 ? sql`1 = 1` : joined(conditions, " and ");
}

function parentGoes(cut: FileCut, { hasWorkspace }: FileTable, column: FileColumn, as: string): Sql {
  const means = column.means as ColumnReference;
  const number = sql`${literal(as)}.${quoted(column.name)}`;
  const inner = `${as}x`;
  const isThere = (name: string) => {
    const of = filePlan().table(name);
    return sql`exists (select 1 from ${literal(name)} ${literal(inner)}
      where ${literal(inner)}.${quoted(of.numberedBy)} = ${number} and ${goes(cut, of, inner)})`;
  };
  if (typeof means.of !== "string") {
    const kind = sql`${literal(as)}.${quoted(means.of.by)}`;
    const each = kindsOf(means.of).map((one) => sql`(${kind} = ${one.kind} and ${isThere(one.table)})`);
    return sql`(${joined(each, " or ")})`;
  }
  const of = filePlan().table(means.of);
  const isShort = means.isHeld && hasWorkspace && of.isNumbered && isPlain(cut, of);
  const there = isShort ? sql`${number} <= ${cut.ends.get(of.name) ?? 0}` : isThere(of.name);
  return column.isNeeded ? there : sql`(${number} is null or ${there})`;
}

/** All of its rows go. */
function isPlain(cut: FileCut, { says, columns }: FileTable): boolean {
  if (says.only || (says.since && cut.since !== null)) return false;
  return columns
    .filter(isParent)
    .every(({ means }) => typeof means?.of === "string" && isPlain(cut, filePlan().table(means.of)));
}
