// The SQL of reading the log, and of forgetting it with its workspace.
import type { Reader, Tx } from "../store/store.ts";

export type EventRow = { readonly name: string; readonly data: string; readonly created_at: string };

export function eventsOfEmail(reader: Reader, email: number): Promise<EventRow[]> {
  return reader.all<EventRow>`
    select name, json(data) as data, created_at from events where email = ${email} order by seq limit 1000`;
}

/** A part of a workspace's events; answers how many. */
export function deleteEventsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from events where seq in (select seq from events where workspace = ${workspace} order by seq limit ${most})`;
}
