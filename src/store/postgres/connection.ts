// Statements on a PostgreSQL connection, and its errors as errors of the store.
import type { SQL } from "bun";
import { AppError } from "../../base/errors.ts";
import { arrayOf, lengthened } from "./array.ts";
import { flatten, joined, sql as fragment, type Bindable, type Sql, type Value } from "../sql.ts";
import { ConstraintError, Overtaken, storeUnavailable, type Dialect, type Reader, type Scalar } from "../store.ts";

/** The time of the database's clock, in milliseconds since 1970. */
export async function databaseNowMs(sql: SQL): Promise<number> {
  const [row] = await sql`select (extract(epoch from clock_timestamp()) * 1000)::double precision as now_ms`.execute();
  return row.now_ms;
}

const POSTGRES: Dialect = {
  name: "postgres",
  hasOneWriter: false,
  skipLocked: fragment` for update skip locked`,
  skipChanging: fragment` for no key update skip locked`,
  forUpdate: fragment` for update`,
  forUpdateInOrder: fragment` order by seq for update`,
  forChange: fragment` for no key update`,
  forReference: fragment` for key share`,
  nextTransaction: fragment`cast(cast(pg_snapshot_xmax(pg_current_snapshot()) as text) as bigint)`,
  oldestTransaction: fragment`cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint)`,
  json: (text) => fragment`checked_json(${text})`,
  jsonAt: (column, path) => {
    const at = fragment`(cast(${column} as jsonb)${joined(
      path.map((key) => fragment` -> cast(${key} as text)`),
      "",
    )})`;
    const text = fragment`(case jsonb_typeof${at} when 'string' then ${at} #>> '{}' end collate "C")`;
    return {
      isNull: fragment`(coalesce(jsonb_typeof${at}, 'null') = 'null')`,
      text,
      moment: fragment`(moment_of(${text}) collate "C")`,
      number: fragment`(case jsonb_typeof${at} when 'number' then cast(${at} as double precision) end)`,
      equals: (value) => fragment`(${at} = ${asJsonb(value)})`,
      hasItem: (item) => fragment`(case jsonb_typeof${at} when 'array' then ${hasItem(at, item)} end)`,
    };
  },
  soughtChars: 3,
  // One value, since a statement with thousands takes seconds to plan.
  isAmong: (column, numbers) => fragment`${column} = any(cast(${arrayOf(lengthened(numbers))} as bigint[]))`,
  // One lookup per value along an index: for a list, the planner would assume that each value has a two-hundredth of
  // all rows.
  isOneOf: (column, [text = "", ...others]) =>
    others.length === 0
      ? fragment`${column} = ${text}`
      : fragment`${column} in (select unnest(cast(${arrayOf(lengthened([text, ...others]))} as text[])))`,
  along: () => fragment``,
  startsWith: (column, text) => {
    const bytes = fragment`${column} collate "C"`;
    return fragment`(${bytes} >= cast(${text} as text) and ${bytes} < cast(${`${text}\u{10ffff}`} as text))`;
  },
  isMadeOf: (column, pieces) => fragment`${column} like cast(${pieces.map(escaped).join("%")} as text)`,
  contactsWith: (words) => {
    const found = joined(
      words.map((word) => fragment`c.sought like cast(${`%${escaped(word)}%`} as text)`),
      " and ",
    );
    return { from: fragment`contacts c where ${found}`, seq: fragment`+seq`, isFound: found };
  },
  jsonFields: (column) =>
    fragment`lateral (select key, json_typeof(value) as type, value #>> '{}' as value from json_each(${column}))`,
  jsonItems: (column, key) => {
    const list = fragment`${column} -> cast(${key} as text)`;
    const items = fragment`case json_typeof(${list}) when 'array' then ${list} end`;
    return fragment`json_array_elements_text(${items}) as item (value)`;
  },
};

/** Escapes a text for `like`. */
function escaped(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** Bound as a text: a value that is bound as JSON would be encoded a second time. */
function asJsonb(value: Scalar | readonly Scalar[]): Sql {
  return fragment`cast(cast(${JSON.stringify(value)} as text) as jsonb)`;
}

function hasItem(found: Sql, item: Scalar): Sql {
  if (typeof item !== "string") return fragment`${found} @> ${asJsonb([item])}`;
  return fragment`exists (select 1 from jsonb_array_elements(${found}) as item (value)
    where jsonb_typeof(item.value) = 'string' and lower((item.value #>> '{}') collate "C") = ${item})`;
}

/** A pool, or one of its connections inside a transaction. */
export type PostgresConnection = Pick<SQL, "unsafe">;

type Result = Record<string, unknown>[] & { readonly count: number };

export class PostgresStatements implements Reader {
  readonly dialect = POSTGRES;

  constructor(private readonly connection: PostgresConnection) {}

  async all<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row[]> {
    const rows = await this.execute(strings, values);
    return rows.map(withNumbers) as Row[];
  }

  async get<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row | null> {
    const [row] = await this.execute(strings, values);
    return row === undefined ? null : (withNumbers(row) as Row);
  }

  async run(strings: TemplateStringsArray, ...values: Bindable[]): Promise<number> {
    return (await this.execute(strings, values)).count;
  }

  protected execute(strings: TemplateStringsArray, values: Bindable[]): Promise<Result> {
    const { text, values: bound } = flatten({ strings, values }, (position) => `$${position}`);
    return this.executeText(text, bound);
  }

  protected executeText(text: string, bound: Value[]): Promise<Result> {
    return this.connection.unsafe(text, bound).execute() as unknown as Promise<Result>;
  }
}

/** Counts and keys arrive as big integers; none of ours exceeds the range that a number holds exactly. */
export function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  // Not with Object.entries, which would allocate for each column of each row.
  for (const column in row) if (typeof row[column] === "bigint") row[column] = Number(row[column]);
  return row;
}

type PostgresFault = { readonly code?: string; readonly errno?: string; readonly message?: string };

/** The SQLSTATE of a fault of the server, or the code of one of the connection. */
function stateOf(error: unknown): string {
  const { code = "", errno = "" } = (error ?? {}) as PostgresFault;
  return code === "ERR_POSTGRES_SERVER_ERROR" ? String(errno) : String(code);
}

/**
 * Two transactions collided, or a newer Posthorn has added a column to the answer of a prepared statement: running the
 * transaction again is safe and enough.
 */
export function isConflict(error: unknown): boolean {
  return error instanceof Overtaken || ["40001", "40P01", "0A000"].includes(stateOf(error));
}

/** A statement failed because an earlier one had: the reason is the earlier one's. */
export function isBehindAnother(error: unknown): boolean {
  return stateOf(error) === "25P02";
}

/** Occurs only where `lock_timeout` is set. */
export function isLockTimeout(error: unknown): boolean {
  return stateOf(error) === "55P03";
}

/** The connection was lost or refused, or the server is going down or coming up. */
export function isLostConnection(error: unknown): boolean {
  return /^(57P0|08|53300|ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)|ECONN|EPIPE|ENOENT|ETIMEDOUT|FailedToOpenSocket)/.test(
    stateOf(error),
  );
}

/** The server is a standby, or the session began while the server was read-only. */
export function isReadOnly(error: unknown): boolean {
  return stateOf(error) === "25006";
}

/** A row was refused for its content: a value that PostgreSQL cannot hold, or a rule of the schema. */
export function isRefusedRow(error: unknown): boolean {
  return /^2[23]/.test(stateOf(error));
}

/** A fault of PostgreSQL or its connection, with the address; any other error unchanged. */
export function onServer(error: unknown, url: string): unknown {
  const fault = error instanceof AppError ? error.cause : error;
  if (stateOf(fault) === "") return error;
  return new Error(`PostgreSQL on ${new URL(url).host} cannot be used: ${(fault as Error).message}.`);
}

/** PostgreSQL's own faults in the words of the store; any other error unchanged. */
export function translated(error: unknown): unknown {
  const state = stateOf(error);
  const message = (error as PostgresFault | null)?.message ?? "";
  if (state === "23505") return new ConstraintError("unique", message);
  if (state === "23503") return new ConstraintError("foreignKey", message);
  if (state.startsWith("23")) return new ConstraintError("other", message);
  if (isConflict(error) || isLostConnection(error) || isReadOnly(error) || /^(53|58|55P03|57014)/.test(state))
    return storeUnavailable(error);
  return error;
}
