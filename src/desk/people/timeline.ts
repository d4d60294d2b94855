// One person's history, newest first: several sources merged into one list, by cursor.
import type { Contact } from "../../audience/contacts/queries.ts";
import { cursorOf, keyInCursor, notOfThisList } from "../../store/page.ts";
import type { Reader } from "../../store/store.ts";
import type { HistoryEntry } from "./record.ts";
import { campaigns, leftOut } from "./campaigns.ts";
import {
  consents,
  events,
  executions,
  mailEvents,
  mails,
  ownEvents,
  type TimelineCursor,
  type TimelineSource,
  type TimelineSlice,
} from "./sources.ts";

export type TimelineKind = "MAIL" | "EVENT" | "CONSENT" | "WORKFLOW" | "CAMPAIGN";

/** At the same moment, a consequence comes before its cause. */
const SOURCES: Readonly<Record<TimelineKind | "ALL", readonly TimelineSource[]>> = {
  ALL: [executions, leftOut, events, mails],
  MAIL: [leftOut, mailEvents, mails],
  EVENT: [ownEvents],
  CONSENT: [consents],
  WORKFLOW: [executions],
  CAMPAIGN: [campaigns],
};

type TimelineRequest = {
  readonly workspace: number;
  readonly contact: Contact;
  /** Null = everything. */
  readonly kind: TimelineKind | null;
  readonly cursor: string | null;
  readonly limit: number;
  readonly nowMs: number;
};

/**
 * A cursor has the place in each source, so that each entry comes once. @throws AppError INVALID_PARAMETERS for a
 * cursor of another list
 */
export async function timelinePage(
  reader: Reader,
  { workspace, contact, kind, cursor, limit, nowMs }: TimelineRequest,
) {
  const sources = SOURCES[kind ?? "ALL"];
  const list = `timeline.${kind ?? "ALL"}`;
  const places = cursor === null ? sources.map(() => null) : placesIn(list, cursor, sources.length);
  const told: TimelineSlice[] = [];
  for (const [index, source] of sources.entries())
    told.push(await source(reader, { workspace, contact, before: places[index] ?? null, limit: limit + 1, nowMs }));
  const { entries, next, hasMore } = merged(told, places, limit);
  return { entries, cursor: hasMore ? cursorOf(list, JSON.stringify(next)) : null, hasMore };
}

type TimelineMerge = {
  readonly entries: HistoryEntry[];
  readonly next: (TimelineCursor | null)[];
  readonly hasMore: boolean;
};

/** The newest of all sources, as far as each of them has read. */
function merged(
  told: readonly TimelineSlice[],
  places: readonly (TimelineCursor | null)[],
  limit: number,
): TimelineMerge {
  const next = [...places];
  const taken = told.map(() => 0);
  const entries: HistoryEntry[] = [];
  for (;;) {
    const newest = newestOf(told, taken);
    if (newest === null) return { entries, next, hasMore: false };
    if (entries.length === limit) return { entries, next, hasMore: true };
    const found = told[newest]?.entries[taken[newest] ?? 0];
    next[newest] = found?.position ?? told[newest]?.end?.position ?? null;
    if (!found) return { entries, next, hasMore: true };
    entries.push(found.entry);
    taken[newest] = (taken[newest] ?? 0) + 1;
  }
}

/**
 * The source with the newest entry that was not taken, or whose search ended there; null = nothing is left anywhere.
 */
function newestOf(told: readonly TimelineSlice[], taken: readonly number[]): number | null {
  let newest: number | null = null;
  let at = "";
  for (const [index, { entries, end }] of told.entries()) {
    const head = entries[taken[index] ?? 0]?.entry.at ?? end?.at;
    if (head === undefined || (newest !== null && head <= at)) continue;
    [newest, at] = [index, head];
  }
  return newest;
}

function placesIn(list: string, cursor: string, sources: number): (TimelineCursor | null)[] {
  const places = parsed(keyInCursor(list, "string", cursor));
  if (!Array.isArray(places) || places.length !== sources || !places.every(isPlace)) throw notOfThisList();
  return places;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isPlace(place: unknown): place is TimelineCursor | null {
  if (place === null || Number.isSafeInteger(place)) return true;
  if (!Array.isArray(place) || place.length !== 2) return false;
  return typeof place[0] === "string" && /^[\d.:TZ-]{1,40}$/.test(place[0]) && Number.isSafeInteger(place[1]);
}
