// The events of a list as far as they are known, newest first; and how a page that is asked for again changes them.
import type { Event, Page } from "./calls.ts";

export type Feed = { readonly events: readonly Event[]; readonly next: string | null };

/** More are not kept in sight while they stream in. */
const MOST_SHOWN = 500;

export function feedOf({ events, cursor }: Page): Feed {
  return { events, next: cursor };
}

/** With the newest page. Where it reaches none that is known, there is a gap, and the list begins anew. */
export function refreshed(feed: Feed, page: Page): Feed {
  const known = new Set(feed.events.map(({ id }) => id));
  const at = page.events.findIndex(({ id }) => known.has(id));
  if (at === 0 && page.events.length > 0) return feed;
  if (at === -1 || feed.events.length + at > MOST_SHOWN) return feedOf(page);
  return { ...feed, events: [...page.events.slice(0, at), ...feed.events] };
}

export function extended(feed: Feed, { events, cursor }: Page): Feed {
  return { events: [...feed.events, ...events], next: cursor };
}
