// The loaded events of a list, newest first, and how a refreshed page is merged.
import type { Event, EventPage } from "./calls.ts";

export type EventFeed = { readonly events: readonly Event[]; readonly next: string | null };

/** The most events kept while they stream in. */
const MAX_SHOWN = 500;

export function feedOf({ events, cursor }: EventPage): EventFeed {
  return { events, next: cursor };
}

/** Merges the newest page. If it overlaps nothing, the list starts over. */
export function refreshed(feed: EventFeed, page: EventPage): EventFeed {
  const known = new Set(feed.events.map(({ id }) => id));
  const at = page.events.findIndex(({ id }) => known.has(id));
  if (at === 0 && page.events.length > 0) return feed;
  if (at === -1 || feed.events.length + at > MAX_SHOWN) return feedOf(page);
  return { ...feed, events: [...page.events.slice(0, at), ...feed.events] };
}

export function extended(feed: EventFeed, { events, cursor }: EventPage): EventFeed {
  return { events: [...feed.events, ...events], next: cursor };
}
