// A page of the newest events, shorter if their data is large.
import { loggedEvents, type LogFilter, type LoggedEvent } from "../../tenant/events/queries.ts";
import type { Reader } from "../../store/store.ts";

/** A page ends early once its events have this many characters. */
const MAX_CHARS_A_PAGE = 4 * 1024 * 1024;
const EVENTS_A_READ = 100;

type SomeEvents = { readonly events: readonly LoggedEvent[]; readonly hasMore: boolean };

/** Answers at least one event if there is any. */
export async function someEvents(
  reader: Reader,
  filter: LogFilter,
  before: number | null,
  limit: number,
): Promise<SomeEvents> {
  const events: LoggedEvent[] = [];
  for (let chars = 0; ;) {
    const wanted = Math.min(EVENTS_A_READ, limit + 1 - events.length);
    const rows = await loggedEvents(reader, filter, events.at(-1)?.seq ?? before, wanted);
    for (const row of rows) {
      chars += row.chars;
      if (events.length === limit || (events.length > 0 && chars > MAX_CHARS_A_PAGE)) return { events, hasMore: true };
      events.push(row);
    }
    if (rows.length < wanted) return { events, hasMore: false };
  }
}
