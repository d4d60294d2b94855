// Locks the tables that a migration changes on PostgreSQL before it begins, because servers are still working on them.
import type { PostgresConnection } from "./connection.ts";

export class LockOrder {
  #first: readonly string[] = [];

  /**
   * Servers lock tables in an order of their own; locking in another order would be a deadlock. So the table whose lock
   * failed is the first one of the next attempt.
   */
  async take(tx: PostgresConnection, sql: string): Promise<void> {
    const tables = await tablesIn(tx, sql);
    const wanted = [...this.#first.filter((table) => tables.includes(table)), ...tables];
    for (const table of new Set(wanted)) await this.#lock(tx, table, sql);
  }

  async #lock(tx: PostgresConnection, table: string, sql: string): Promise<void> {
    try {
      await tx.unsafe(`lock table "${table}" in ${modeOf(table, sql)} mode`);
    } catch (error) {
      this.#first = [table, ...this.#first.filter((other) => other !== table)];
      throw error;
    }
  }
}

/** The tables of the store that are named anywhere in the text, perhaps including some that it does not touch. */
async function tablesIn(tx: PostgresConnection, sql: string): Promise<string[]> {
  const words = new Set(sql.match(/\w+/g));
  const rows = await tx.unsafe(
    "select tablename as name from pg_tables where schemaname = current_schema() order by 1",
  );
  return rows.map(({ name }: { name: string }) => name).filter((name: string) => words.has(name));
}

/**
 * While an index is built, or rows are changed, others may read. Dropping an index locks its table as altering it does.
 */
function modeOf(table: string, sql: string): string {
  const isAltered = new RegExp(`\\b(drop index|(alter|drop) table (if exists )?${table})\\b`).test(sql);
  return isAltered ? "access exclusive" : "share row exclusive";
}
