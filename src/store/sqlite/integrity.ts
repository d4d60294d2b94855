// Whether a SQLite file is whole.
import { Database, SQLiteError } from "bun:sqlite";

const MOST_FAULTS = 5;

/**
 * Reads the whole file, while others work on it; `full` also compares indexes with their tables. No faults = it is
 * whole.
 */
export function faultsOf(path: string, full: boolean): readonly string[] {
  const database = new Database(path, { readonly: true });
  try {
    const check = full ? "integrity_check" : "quick_check";
    const said = (database.query(`pragma ${check}(${MOST_FAULTS})`).values() as [string][]).flat();
    return said.join() === "ok" ? [] : said;
  } catch (error) {
    if (error instanceof SQLiteError) return [error.message];
    throw error;
  } finally {
    database.close();
  }
}
