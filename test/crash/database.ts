// What lies in the database while no server runs, read from beside it. Only pauses of ways are written, as commands do.
import { Database } from "bun:sqlite";

/** The state that a kill has left behind. */
export type Remains = {
  /** Ids of the mails that were in hand: SENDING on a lease that runs on. What an earlier kill left has none. */
  readonly sending: ReadonlySet<string>;
  /** What SQLite finds wrong with the file. */
  readonly faults: readonly string[];
};

export type StoredMail = {
  readonly id: string;
  readonly recipient: string;
  readonly status: string;
  /** How many email.sent there are about it. */
  readonly sentEvents: number;
};

const IN_HAND = "select id from emails where status = 'SENDING' and due_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

export function remainsIn(path: string): Remains {
  using database = new Database(path, { readonly: true });
  const sending = rows<{ id: string }>(database, IN_HAND);
  return { sending: new Set(sending.map(({ id }) => id)), faults: faultsOf(database) };
}

/** As the interface has it. */

export function mailsIn(path: string): StoredMail[] {
  using database = new Database(path, { readonly: true });
  const sentEvents = "select count(*) from events v where v.email = e.seq and v.name = 'email.sent'";
  return rows(
    database,
    `select e.id, e.to_address as recipient, e.status, (${sentEvents}) as sentEvents from emails e`,
  );
}

/** False = the database was busy, or is not there yet. */
export function setPausedIn(path: string, way: string, isPaused: boolean): boolean {
  try {
    using database = new Database(path, { readwrite: true, create: false });
    database.run("pragma busy_timeout = 1000");
    const at = isPaused ? new Date().toISOString() : null;
    database.run(
      `insert into ways (name, paused_at, created_at, updated_at)
       values (?1, ?2, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
       on conflict (name) do update set paused_at = excluded.paused_at`,
      [way, at],
    );
    return true;
  } catch {
    return false;
  }
}

function faultsOf(database: Database): string[] {
  const damage = rows<{ integrity_check: string }>(database, "pragma integrity_check").map(
    (row) => row.integrity_check,
  );
  const dangling = rows<object>(database, "pragma foreign_key_check").map((row) => JSON.stringify(row));
  return [...damage.filter((finding) => finding !== "ok"), ...dangling.map((row) => `A row refers to nothing: ${row}`)];
}

function rows<Row>(database: Database, sql: string): Row[] {
  return database.query(sql).all() as Row[];
}
