// Whether this process has sessions of its own, and how many the server has for all.
import type { SQL } from "bun";
import type { Reader } from "../store.ts";

/** Beside those of the pool: one that listens. */
const LISTENING = 1;
/** Of a command beside the servers, which does one thing after the other. */
export const COMMAND_CONNECTIONS = 2;

/** Each is asked so often: a pooler may hand out its sessions in a circle, or the one that was used last. */
const QUESTIONS = 3;

/**
 * A pooler between transactions gives each transaction another session: signals would not arrive, and statements be
 * prepared elsewhere. Then two connections are seen in one session, or one of them in two.
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

/** What a node and a command beside it take. */
export function needOf(connections: number): number {
  return connections + LISTENING + COMMAND_CONNECTIONS;
}

/** Null if the server allows enough for them. */
export function scarcityOf({ most }: ConnectionRoom, connections: number): string | null {
  const need = needOf(connections);
  return most >= need ? null : `PostgreSQL allows ${most} connections; a node and one command need ${need}.`;
}

export const MORE_CONNECTIONS = "Raise max_connections of PostgreSQL, or lower [database] connections.";
