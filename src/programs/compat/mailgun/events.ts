// GET /v3/{domain}/events: a page is merged from several lists by time, and its token has a position in each.
import { invalidParameter } from "../../../base/errors.ts";
import type { Reader } from "../../../store/store.ts";
import {
  eventRows,
  firstMails,
  type EventListName,
  type EventSearch,
  type ListPlace,
  type MailEventRow,
} from "./event-queries.ts";
import { eventRecord } from "./event-record.ts";
import { limitIn, searchFrom, type EventScope } from "./event-search.ts";

type ListPlaces = Readonly<Partial<Record<EventListName, ListPlace>>>;
type EventPage = { readonly rows: readonly MailEventRow[]; readonly places: ListPlaces };
type EventsRequest = EventScope & {
  readonly query: URLSearchParams;
  /** Null = the first page. */
  readonly token: string | null;
  /** The address of the list, without its query. */
  readonly address: string;
};

/** @throws AppError INVALID_PARAMETERS */
export async function eventsPage(reader: Reader, asked: EventsRequest) {
  const page = asked.token === null ? null : pageIn(asked.token);
  // A client that follows a page may repeat its filters, or leave them out.
  const query = page ? new URLSearchParams(page.query) : asked.query;
  const { search, lists } = await searchFrom(reader, asked, query);
  const limit = limitIn(query);
  const { rows, places } = await merged(reader, { search, lists, places: page?.places ?? {} }, limit);
  const contents = [...new Set(rows.map(({ content }) => content))];
  const firsts = contents.length === 0 ? [] : await firstMails(reader, contents);
  const byContent = new Map(firsts.map((one) => [one.content, one]));
  return {
    items: rows.map((row) => eventRecord(row, byContent.get(row.content))),
    paging: { first: addressOf(asked, query, {}), next: addressOf(asked, query, places) },
  };
}

function addressOf({ address }: EventsRequest, query: URLSearchParams, places: ListPlaces): string {
  return `${address}/${Buffer.from(JSON.stringify([String(query), places])).toString("base64url")}`;
}

/** @throws AppError INVALID_PARAMETERS for one that is not ours */
function pageIn(token: string): { readonly query: string; readonly places: ListPlaces } {
  try {
    const [query, places] = JSON.parse(Buffer.from(token, "base64url").toString()) as [unknown, unknown];
    if (typeof query === "string" && isPlaces(places)) return { query, places };
  } catch {
    // Not JSON.
  }
  throw invalidParameter("page", "This is no page of events.");
}

const [NUMBER, TIME] = [String.raw`\d{1,15}`, String.raw`"[\dTZ:.-]{1,40}"`];
const [NUMBERED, TIMED] = [RegExp(`^\\[${NUMBER}\\]$`), RegExp(`^\\[${TIME},${NUMBER}\\]$`)];
/** The JSON of a place: a token may be forged. */
const PLACES: Readonly<Record<EventListName, RegExp>> = {
  log: NUMBERED,
  accepted: NUMBERED,
  failed: TIMED,
  skipped: TIMED,
  unsubscribed: TIMED,
  attempts: RegExp(`^\\[${TIME},${NUMBER},${NUMBER}\\]$`),
};

function isPlaces(given: unknown): given is ListPlaces {
  if (typeof given !== "object" || given === null) return false;
  return Object.entries(given).every(
    ([list, place]) => Object.hasOwn(PLACES, list) && PLACES[list as EventListName].test(JSON.stringify(place)),
  );
}

type EventLists = {
  readonly search: EventSearch;
  readonly lists: readonly EventListName[];
  readonly places: ListPlaces;
};

/** The next `limit` rows of all lists. */
async function merged(reader: Reader, { search, lists, places }: EventLists, limit: number): Promise<EventPage> {
  const found = await Promise.all(
    lists.map((list) => eventRows(reader, list, search, { after: places[list] ?? null, limit })),
  );
  const heads = found.map((rows) => [...rows].reverse());
  const rows: MailEventRow[] = [];
  const next: Record<string, ListPlace> = { ...places };
  const isBefore = (one: MailEventRow, other: MailEventRow) =>
    search.isAscending ? one.at < other.at : one.at > other.at;
  while (rows.length < limit) {
    const best = heads.reduce<MailEventRow[] | null>((chosen, one) => {
      const [head, least] = [one.at(-1), chosen?.at(-1)];
      return head && (!least || isBefore(head, least)) ? one : chosen;
    }, null);
    const row = best?.pop();
    if (!row) break;
    rows.push(row);
    next[row.list] = row.place;
  }
  return { rows, places: next };
}
