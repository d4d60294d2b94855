// A connection to a SQLite file: its settings, SQLite's dialect, its errors as errors of the store.
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import type { Log } from "../../base/log.ts";
import { keepPrivate, makePrivate } from "../../base/private-files.ts";
import { ThreadError } from "../../base/jobs/worker-thread.ts";
import { momentOf } from "../../base/moments.ts";
import { joined, literal, type Sql, sql, steadyList } from "../sql.ts";
import { ConstraintError, storeUnavailable, type Dialect, type Scalar } from "../store.ts";

/** The common forms are read without the function, which costs more than all the rest. */
const MOMENT = sql`case
  when found glob '????-??-??T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z' and ${isTimeOf(sql`substr(found, 1, 10)`)}
    then substr(found, 1, 23)
  when date(found) = found then found || 'T00:00:00.000'
  when found glob '????-??-??T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z' and ${isTimeOf(sql`substr(found, 1, 10)`)}
    then substr(found, 1, 19) || '.000'
  when found glob '[0-9][0-9][0-9][0-9]-*' then moment_of(found) end`;

/** SQLite counts days beyond the end of a month on into the next one, and takes 24:00 for a time of the same day. */
function isTimeOf(day: Sql): Sql {
  return sql`date(found) = ${day} and substr(found, 12, 2) < '24'`;
}

/** There is one writer, so no row that it reads can be changed by another. */
export const SQLITE: Dialect = {
  name: "sqlite",
  hasOneWriter: true,
  skipLocked: sql``,
  skipChanging: sql``,
  forUpdate: sql``,
  forUpdateInOrder: sql``,
  forChange: sql``,
  forReference: sql``,
  nextTransaction: sql`0`,
  oldestTransaction: sql`0`,
  json: (text) => sql`jsonb(${text})`,
  jsonAt: (column, path) => {
    const at = `$${path.map((key) => `."${key}"`).join("")}`;
    const type = sql`json_type(${column}, ${at})`;
    const text = sql`(case ${type} when 'text' then ${column} ->> ${at} end)`;
    return {
      isNull: sql`(coalesce(${type}, 'null') = 'null')`,
      text,
      moment: sql`(select ${MOMENT} from (select ${text} as found limit 1))`,
      number: sql`(case when ${type} in ('integer', 'real') then ${column} ->> ${at} end)`,
      // Values are compared as JSON texts: each has one spelling, since every stored value was written by
      // JSON.stringify.
      equals: (value) => sql`(${column} -> ${at} = ${JSON.stringify(value)})`,
      hasItem: (item) => sql`(${type} = 'array' and exists (
        select 1 from json_each(${column}, ${at}) as item where ${itemIs(item)}))`,
    };
  },
  soughtChars: 2,
  isAmong: (column, numbers) => sql`${column} in (${steadyList(numbers)})`,
  isOneOf: (column, texts) => sql`${column} in (${steadyList(texts)})`,
  along: (index) => literal(` indexed by ${index}`),
  startsWith: (column, text) => sql`(${column} >= ${text} and ${column} < ${`${text}\u{10ffff}`})`,
  isMadeOf: (column, pieces) => sql`${column} glob ${pieces.map((piece) => piece.replace(/[*?[]/g, "[$&]")).join("*")}`,
  contactsWith: (words) => {
    const found = sql`(
      select rowid as contact from contacts_sought where contacts_sought match ${inTrigrams(words)}
      union all select seq from contacts where seq > (select seq from contacts_sought_to where one = 1))`;
    return {
      from: sql`${found} m cross join contacts c indexed by contacts_in_order where c.seq = m.contact`,
      seq: sql`m.contact`,
      isFound: sql`c.seq in ${found}`,
    };
  },
  jsonFields: (column) => sql`json_each(${column})`,
  jsonItems: (column, key) => sql`json_each(${column}, ${`$.${key}`}) as item`,
};

/** More trigrams would not narrow the search. */
const MAX_TRIGRAMS = 12;

/** A query of FTS5 for rows that may have all of these words. */
function inTrigrams(words: readonly string[]): Sql {
  const [short = [], long = []] = [2, 3].map((chars) =>
    words.filter((word) => Math.min([...word].length, 3) === chars),
  );
  const wholes = long.length > 0 ? [sql`${trigrams(long)}`] : [];
  return joined([...wholes, ...short.map(beginning)], " || ' AND ' || ");
}

/**
 * Any existing trigram that begins with the word: the search jumps from one trigram to the next, past the rows of each.
 */
function beginning(word: string): Sql {
  const after = (text: Sql) => sql`(select term from contacts_trigrams where term >= ${text} limit 1)`;
  const end = `${word}\u{10ffff}`;
  return sql`(with recursive begun (term) as (
      select ${after(sql`${word}`)} union all select ${after(sql`begun.term || char(1)`)} from begun where begun.term < ${end})
    select '(' || coalesce(group_concat('"' || replace(term, '"', '""') || '"', ' OR '), '""') || ')' from begun where term < ${end})`;
}

/** Each sequence of three characters in the words. */
function trigrams(words: readonly string[]): string {
  const all = words.flatMap((word) => {
    const chars = [...word];
    return chars.slice(2).map((_, at) => chars.slice(at, at + 3).join(""));
  });
  return [...new Set(all)]
    .slice(0, MAX_TRIGRAMS)
    .map((three) => `"${three.replaceAll('"', '""')}"`)
    .join(" AND ");
}

function itemIs(item: Scalar): Sql {
  if (typeof item === "boolean") return sql`item.type = ${String(item)}`;
  if (typeof item === "number") return sql`item.type in ('integer', 'real') and item.value = ${item}`;
  return sql`item.type = 'text' and lower(item.value) = ${item}`;
}

/** A commit writes each changed page whole: smaller pages halve the writes for a mail that comes alone. */
export const PAGE_BYTES = 4096;

export function connect(path: string, cacheKib = 4 * 1024): Database {
  // SQLite gives its log the mode of the database, but does not change the mode of an existing log.
  makePrivate(path);
  for (const beside of ["-wal", "-shm"]) keepPrivate(path + beside);
  const database = new Database(path, { create: true, strict: true });
  database.run("pragma busy_timeout = 5000");
  database.run(`pragma page_size = ${PAGE_BYTES}`);
  if (isNew(database)) database.run("pragma auto_vacuum = incremental");
  database.run("pragma journal_mode = wal");
  database.run("pragma synchronous = full");
  database.run("pragma foreign_keys = on");
  database.run(`pragma cache_size = -${cacheKib}`);
  database.run("pragma temp_store = memory");
  // Deleted and changed data is overwritten: free pages keep nothing of an erased person.
  database.run("pragma secure_delete = on");
  // A net under the planned checkpoints, far above the size at which they keep the log.
  database.run("pragma wal_autocheckpoint = 50000");
  database.function("moment_of", { deterministic: true }, (text) => momentOf(text as string));
  return database;
}

/** A file with content becomes one that can shrink only by being written anew (compact.ts). */
function isNew(database: Database): boolean {
  const [[pages]] = database.query("pragma page_count").values() as [[number]];
  return pages === 0;
}

/**
 * Takes a lock that ends with the process, in any case; returns a function that gives it up, or null if another process
 * has it. The file beside the database is a database of its own, never written to: SQLite knows how to lock on every
 * system.
 * @throws if it cannot be taken for another reason
 */
export function lockFile(path: string): (() => void) | null {
  makePrivate(path);
  const database = new Database(path, { create: true });
  try {
    database.run("begin exclusive");
    return () => database.close();
  } catch (error) {
    database.close();
    if (error instanceof SQLiteError && error.code === "SQLITE_BUSY") return null;
    throw error;
  }
}

/** If the disk is full or read-only the log stays, and the next process to open the file reads it. */
export function emptyLogAtEnd(database: Database, log: Log): void {
  try {
    database.run("pragma wal_checkpoint(truncate)");
  } catch (error) {
    log.warn("the log of the database could not be emptied; nothing of it is lost", { error });
  }
}

/** A fault of SQLite with the path, or why this user may not open the file; any other error unchanged. */
export function inFile(error: unknown, path: string): unknown {
  if (!(error instanceof SQLiteError || error instanceof ThreadError)) return error;
  return (
    (/unable to open/.test(error.message) ? refusalOf(path) : null) ??
    new Error(`The database ${path} cannot be used: ${error.message}.`, { cause: error })
  );
}

/** SQLite reports no more than that it cannot open a file. */
function refusalOf(path: string): Error | null {
  try {
    closeSync(openSync(path, "r+"));
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? (error as Error) : null;
  }
}

/** SQLite's own faults, also those of the other thread, in the words of the store; any other error unchanged. */
export function translated(error: unknown, path: string): unknown {
  if (!(error instanceof SQLiteError || error instanceof ThreadError)) return error;
  const { code = "", message } = error;
  if (code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY")
    return new ConstraintError("unique", message);
  if (code === "SQLITE_CONSTRAINT_FOREIGNKEY") return new ConstraintError("foreignKey", message);
  if (code.startsWith("SQLITE_CONSTRAINT")) return new ConstraintError("other", message);
  if (/^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)/.test(code)) return storeUnavailable(error);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return inFile(error, path);
  return error;
}
