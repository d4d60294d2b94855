// The SQL of reading the log.
import type { Reader } from "../store/store.ts";

export type EventRow = { readonly name: string; readonly data: string; readonly created_at: string };

export function eventsOfEmail(reader: Reader, email: number): Promise<EventRow[]> {
  return reader.all<EventRow>`
    select name, json(data) as data, created_at from events where email = ${email} order by seq limit 1000`;
}
