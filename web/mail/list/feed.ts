// The loaded pages of a list of emails, newest first, and how updates are merged.
import type { Mail, MailPage } from "../calls.ts";

export type MailPages = {
  readonly pages: readonly MailPage[];
  /** The number of newer mails that are not shown, so that the list does not move. Infinity: more than a page. */
  readonly waiting: number;
};

export function feedOf(page: MailPage): MailPages {
  return { pages: [page], waiting: 0 };
}

export function mailsIn({ pages }: MailPages): readonly Mail[] {
  return pages.flatMap(({ mails }) => mails);
}

/** Appends the next page. */
export function extended(feed: MailPages, page: MailPage): MailPages {
  const last = feed.pages.at(-1);
  if (!last || last.next !== page.after) return feed;
  const known = new Set(mailsIn(feed).map(({ id }) => id));
  return { ...feed, pages: [...feed.pages, { ...page, mails: page.mails.filter(({ id }) => !known.has(id)) }] };
}

/** Merges a refetched page. `isAtTop`: new emails may push the others down. */
export function refreshed(feed: MailPages, fresh: MailPage, isAtTop: boolean): MailPages {
  const at = feed.pages.findIndex(({ after }) => after === fresh.after);
  const page = feed.pages[at];
  if (!page) return feed;
  if (at > 0) return withPage(feed, at, remaining(page, fresh));
  const known = new Set(page.mails.map(({ id }) => id));
  const first = fresh.mails.findIndex(({ id }) => known.has(id));
  const isGap = first === -1;
  if (isGap && (isAtTop || page.mails.length === 0)) return feedOf(fresh);
  if (isGap) return { ...feed, waiting: fresh.mails.length > 0 ? Infinity : feed.waiting };
  const unseen = fresh.mails.slice(0, first);
  const rest = remaining(page, fresh);
  if (!isAtTop) return { ...withPage(feed, 0, rest), waiting: unseen.length };
  return { ...withPage(feed, 0, { ...rest, mails: [...unseen, ...rest.mails] }), waiting: 0 };
}

function withPage(feed: MailPages, at: number, page: MailPage): MailPages {
  return { ...feed, pages: feed.pages.map((one, place) => (place === at ? page : one)) };
}

/**
 * The mails of a page after a refetch. A mail that is missing in the answer no longer matches; mails after the last
 * one of the answer are kept.
 */
function remaining(page: MailPage, fresh: MailPage): MailPage {
  const now = new Map(fresh.mails.map((mail) => [mail.id, mail]));
  const reached = fresh.next === null ? page.mails.length : page.mails.findLastIndex(({ id }) => now.has(id)) + 1;
  const mails = page.mails.flatMap((mail, place) => now.get(mail.id) ?? (place < reached ? [] : [mail]));
  return { ...page, mails };
}
