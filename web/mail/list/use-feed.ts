// Keeps the list of emails up to date: loads pages on scroll, and adds new emails without moving the visible ones.
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { showFault } from "../../parts/overlays/toast.tsx";
import { isTransient, queries } from "../../calls/queries.ts";
import { extended, feedOf, mailsIn, refreshed, type MailPages } from "./feed.ts";
import type { MailFilters } from "../filter/filters.ts";
import { pageOf, type Mail } from "../calls.ts";

export type MailFeed = {
  /** Undefined until the first page is loaded. */
  readonly mails: readonly Mail[] | undefined;
  readonly fault: unknown;
  readonly waiting: number;
  readonly hasMore: boolean;
  /** Loads the next page, unless one is loading. */
  readonly more: () => void;
  /** Called on scroll. `first`: the place of the first visible row; 0 = the list is at its top. */
  readonly look: (first: number, isMoving: boolean) => void;
  readonly again: () => void;
};

export function useFeed(filters: MailFilters): MailFeed {
  const key = useMemo(() => ["mail feed", filters] as const, [JSON.stringify(filters)]);
  const { data: feed, error } = useQuery({
    queryKey: key,
    queryFn: async () => feedOf(await pageOf(filters, null)),
    staleTime: Infinity,
    throwOnError: false,
  });
  const { isAtTop, seen, look } = useVisiblePages(feed);
  const again = useUpdates({ key, filters, isAtTop, seen, isKnown: feed !== undefined });
  const more = useNextPage(key, filters);
  const mails = useMemo(() => feed && mailsIn(feed), [feed]);
  const waiting = feed?.waiting ?? 0;
  useEffect(() => {
    if (isAtTop && waiting > 0) again();
  }, [isAtTop, waiting, again]);
  return { mails, fault: error, waiting, hasMore: feed?.pages.at(-1)?.next != null, more, look, again };
}

type FeedKey = readonly ["mail feed", MailFilters];

/** `seen`: the first visible page once scrolling stops. */
function useVisiblePages(feed: MailPages | undefined) {
  const [isAtTop, setAtTop] = useState(true);
  const [first, setFirst] = useState(0);
  const look = useCallback((at: number, isMoving: boolean) => {
    setAtTop(at === 0);
    if (!isMoving) setFirst(at);
  }, []);
  let left = first;
  const page = feed?.pages.find(({ mails }) => (left -= mails.length) < 0);
  return { isAtTop, seen: page?.after ?? null, look };
}

type VisiblePages = {
  readonly key: FeedKey;
  readonly filters: MailFilters;
  readonly isAtTop: boolean;
  readonly seen: string | null;
  readonly isKnown: boolean;
};

/** Refetches the first and the visible page when emails change. */
function useUpdates({ key, filters, isAtTop, seen, isKnown }: VisiblePages): () => void {
  const wasAtTop = useRef(isAtTop);
  wasAtTop.current = isAtTop;
  const name = ["mails", "news", filters, seen];
  const { data } = useQuery({
    queryKey: name,
    queryFn: () => Promise.all((seen === null ? [null] : [null, seen]).map((after) => pageOf(filters, after))),
    enabled: isKnown,
    initialData: [],
    initialDataUpdatedAt: () => queries.getQueryState(key)?.dataUpdatedAt,
    // A cached answer must not be merged a second time.
    gcTime: 0,
    // An equal answer must be merged again: the list may have been scrolled since.
    structuralSharing: false,
    throwOnError: false,
  });
  useEffect(() => {
    if (data.length === 0) return;
    queries.setQueryData(
      key,
      (feed: MailPages | undefined) => feed && data.reduce((now, page) => refreshed(now, page, wasAtTop.current), feed),
    );
  }, [data, key]);
  return useCallback(() => void queries.invalidateQueries({ queryKey: ["mails", "news"] }), []);
}

function useNextPage(key: FeedKey, filters: MailFilters): () => void {
  const isUnderWay = useRef(false);
  return useCallback(async () => {
    const next = queries.getQueryData<MailPages>(key)?.pages.at(-1)?.next;
    if (next == null || isUnderWay.current) return;
    isUnderWay.current = true;
    try {
      const page = await pageOf(filters, next);
      queries.setQueryData(key, (feed: MailPages | undefined) => feed && extended(feed, page));
    } catch (error) {
      // The frame shows that the server does not answer; further scrolling tries again.
      if (!isTransient(error)) showFault(error);
    } finally {
      isUnderWay.current = false;
    }
  }, [key]);
}
