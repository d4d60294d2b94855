// Whether this process has its own sessions, and how many connections the server allows.
import type { SQL } from "bun";
import type { Reader } from "../store.ts";

/** One connection that listens, beside those of the pool. */
const LISTENING = 1;
/** For a command beside the servers, which does one thing after the other. */
export const COMMAND_CONNECTIONS = 2;

/**
 * Each connection is asked this often: a pooler may hand out its sessions in a circle, or the one that was used last.
 */
const QUESTIONS = 3;

/**
 * A pooler between transactions gives each transaction another session: signals would not arrive, and statements would
 * be prepared in other sessions. It shows as two connections in one session, or one connection in two.
 * @throws Error in plain words
 */
export async function refusePooledTransactions(sql: SQL): Promise<void> {
  const connections = [await sql.reserve(), await sql.reserve()];
  try {
    const sessions: number[][] = [];
    for (const connection of connections) {
      const seen = new Set<number>();
      for (let asked = 0; asked < QUESTIONS; asked++) {
        const [row] = await connection.unsafe("select pg_backend_pid() as pid").simple();
        seen.add(row.pid);
      }
      sessions.push([...seen]);
    }
    if (new Set(sessions.flat()).size === connections.length && sessions.every(({ length }) => length === 1)) return;
  } finally {
    connections.forEach((connection) => connection.release());
  }
  throw new Error(
    "PostgreSQL is reached through a connection pooler that gives each transaction another session (pool_mode = transaction). Posthorn needs sessions of its own: set pool_mode = session for its database, or name PostgreSQL itself in database.url.",
  );
}

/** Connections: how many the server allows to all its users, and how many there are now. */
type ConnectionRoom = { readonly most: number; readonly used: number };

export async function roomOn(reader: Reader): Promise<ConnectionRoom> {
  const row = await reader.get<ConnectionRoom>`
    select cast(current_setting('max_connections') as int) - cast(current_setting('superuser_reserved_connections') as int)
        - cast(coalesce(current_setting('reserved_connections', true), '0') as int) as most,
      (select cast(sum(numbackends) as int) from pg_stat_database) as used`;
  return row as ConnectionRoom;
}

/** The connections of a node and a command beside it. */
export function needOf(connections: number): number {
  return connections + LISTENING + COMMAND_CONNECTIONS;
}

/** The shortage in words; null if the server allows enough connections. */
export function scarcityOf({ most }: ConnectionRoom, connections: number): string | null {
  const need = needOf(connections);
  return most >= need ? null : `PostgreSQL allows ${most} connections; a node and one command need ${need}.`;
}

export const MORE_CONNECTIONS = "Raise max_connections of PostgreSQL, or lower [database] connections.";
