// The query of Mailgun's events: filters, with OR between their values, and a span of time.
import { parseMailbox } from "../../../base/addresses.ts";
import { iso } from "../../../base/clock.ts";
import { invalidParameter } from "../../../base/errors.ts";
import { contactByAddress } from "../../../audience/contacts/queries.ts";
import type { Reader } from "../../../store/store.ts";
import { eventsSince, firstOfListSince } from "../../../tenant/events/by-id.ts";
import { refuseFilters } from "../fields.ts";
import { tagsFrom } from "../labels.ts";
import {
  contentsOf,
  EVENT_LISTS,
  mailAtOrAfter,
  seqsOfMails,
  type EventListName,
  type EventSearch,
} from "./event-queries.ts";
import { EVENT_SOURCES, NEVER } from "./event-record.ts";
import { msOf } from "./options.ts";

const LARGEST_PAGE = 300;
const DEFAULT_PAGE = 100;
const MOST_VALUES = 20;
const TAKEN = [
  ...["begin", "end", "ascending", "limit", "pretty", "event", "severity", "tags", "recipient", "from"],
  "message-id",
];
/** Before and after all possible times. */
const ALWAYS = { since: "", until: "9999" };
/** Ids of mails are made some time before they are written. */
const OUT_OF_ORDER_MS = 10_000;

/** The workspace, and the number of the sender domain. */
export type EventScope = { readonly workspace: number; readonly domain: number };

/** @throws AppError INVALID_PARAMETERS */
export async function searchFrom(reader: Reader, { workspace, domain }: EventScope, query: URLSearchParams) {
  refuseFilters({ url: `http://localhost/?${query}` }, TAKEN);
  const { fromMs, toMs, isAscending } = spanIn(query);
  const sources = sourcesIn(query);
  const lists = EVENT_LISTS.filter((list) => sources.some((one) => one.list === list));
  const recipients = addressesIn(query, "recipient");
  const [only] = recipients?.length === 1 ? recipients : [];
  const contact = only === undefined ? null : await contactByAddress(reader, workspace, only);
  const search: EventSearch = {
    ...{ workspace, domain, isAscending, recipients },
    names: sources.flatMap(({ name }) => name ?? []),
    since: fromMs === null ? ALWAYS.since : iso(fromMs),
    until: toMs === null ? ALWAYS.until : iso(toMs),
    from: fromMs === null ? {} : await startsOf(reader, workspace, { lists, fromMs }),
    contact: contact?.seq ?? null,
    senders: addressesIn(query, "from"),
    contents: await contentsIn(reader, workspace, query),
    tags: tagsIn(query),
  };
  return { search, lists: search.contents?.length === 0 ? [] : lists };
}

async function startsOf(
  reader: Reader,
  workspace: number,
  { lists, fromMs }: { readonly lists: readonly EventListName[]; readonly fromMs: number },
): Promise<EventSearch["from"]> {
  const log = lists.includes("log") ? await eventsSince(reader, workspace, fromMs) : 0;
  const mails = {
    bounds: () => seqsOfMails(reader, workspace),
    next: (seq: number) => mailAtOrAfter(reader, workspace, seq),
  };
  const accepted = lists.includes("accepted") ? await firstOfListSince(mails, fromMs - OUT_OF_ORDER_MS) : null;
  return { log, accepted: accepted ?? 0 };
}

/** Words with OR between them. Null: it is not given. */
function valuesIn(query: URLSearchParams, name: string): string[] | null {
  const text = query.get(name)?.trim();
  if (!text) return null;
  const words = text.replace(/^\((.*)\)$/s, "$1").split(/\sOR\s/);
  if (words.length > MOST_VALUES || words.some((one) => /\sAND\s|^NOT\s|^!|[()]/.test(one.trim())))
    throw invalidParameter(name, `This takes up to ${MOST_VALUES} values, with OR between them.`);
  return words.map((one) => one.trim().replace(/^"(.*)"$/s, "$1"));
}

function sourcesIn(query: URLSearchParams) {
  const events = valuesIn(query, "event");
  const severities = valuesIn(query, "severity");
  const unknown = events?.find((one) => !NEVER.has(one) && !EVENT_SOURCES.some(({ event }) => event === one));
  if (unknown !== undefined) throw invalidParameter("event", `There is no event ${unknown.slice(0, 40)}.`);
  return EVENT_SOURCES.filter(
    ({ event, severity }) =>
      (events === null || events.includes(event)) &&
      (severities === null || (severity !== undefined && severities.includes(severity))),
  );
}

function addressesIn(query: URLSearchParams, name: string): string[] | null {
  return valuesIn(query, name)?.map((one) => parseMailbox(one)?.address ?? one) ?? null;
}

async function contentsIn(reader: Reader, workspace: number, query: URLSearchParams): Promise<number[] | null> {
  const given = valuesIn(query, "message-id")?.map((one) => one.replace(/^<|>$/g, ""));
  if (!given) return null;
  const ids = given.map((one) => one.slice(0, one.lastIndexOf("@")));
  return contentsOf(reader, workspace, { ids, own: given.map((one) => `<${one}>`) });
}

/** `a AND b`, or `a OR b`. Tags are as they are kept here. */
function tagsIn(query: URLSearchParams): EventSearch["tags"] {
  const all = query.get("tags")?.split(/\sAND\s/) ?? [];
  const isAll = all.length > 1;
  const given = isAll ? all.map((one) => one.trim()) : valuesIn(query, "tags");
  if (!given) return null;
  if (given.length > MOST_VALUES || given.some((one) => /\sOR\s|^NOT\s|^!|[()]/.test(one)))
    throw invalidParameter("tags", `This takes up to ${MOST_VALUES} tags, with AND or OR between them.`);
  return { names: given.map((one) => tagsFrom([one]).labels?.[0] ?? one), isAll };
}

type EventSpan = { readonly fromMs: number | null; readonly toMs: number | null; readonly isAscending: boolean };

/** Backwards, `begin` is the later end. @throws AppError INVALID_PARAMETERS */
function spanIn(query: URLSearchParams): EventSpan {
  const [begin, end] = [timeIn(query, "begin"), timeIn(query, "end")];
  const isAscending = isYes(query, "ascending") ?? (begin !== null && (end === null || begin <= end));
  if (begin !== null && end !== null) return { fromMs: Math.min(begin, end), toMs: Math.max(begin, end), isAscending };
  return isAscending ? { fromMs: begin, toMs: end, isAscending } : { fromMs: end, toMs: begin, isAscending };
}

/** @throws AppError INVALID_PARAMETERS */
function timeIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  const ms = msOf(text);
  if (ms === null) throw invalidParameter(name, "This must be seconds since 1970, or a date.");
  return ms;
}

function isYes(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null || text === "" ? undefined : ["yes", "true"].includes(text);
}

/** @throws AppError INVALID_PARAMETERS */
export function limitIn(query: URLSearchParams): number {
  const limit = Number(query.get("limit") ?? DEFAULT_PAGE);
  if (!Number.isInteger(limit) || limit < 1) throw invalidParameter("limit", `A page has 1 to ${LARGEST_PAGE} events.`);
  return Math.min(limit, LARGEST_PAGE);
}
