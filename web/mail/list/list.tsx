// The list of emails, virtualised. Keys move along it; Enter opens.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, type KeyboardEvent } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Skeleton, KeyHints } from "../../parts/layout.tsx";
import { useSearchFocus } from "../../parts/fields/search-focus.ts";
import { mailTexts } from "../../texts/areas.ts";
import { viewOf } from "../filter/search-query.ts";
import { resendRequest } from "../actions.tsx";
import { groupByDay, holds, DAY_LINE_PX, type Item } from "./day-groups.ts";
import type { MailFilters } from "../filter/filters.ts";
import { EmptyMailList, NotInList } from "./no-emails.tsx";
import { DayLine, Row } from "./row.tsx";
import { useFeed } from "./use-feed.ts";
import { useRowFocus } from "./row-focus.ts";
import { useFormats } from "../../base/formats.ts";
import { useSignal } from "../../base/signal.ts";
import { mayRetry, Retry, retryJob } from "./retry.tsx";

type MailListProps = {
  readonly filters: MailFilters;
  readonly openId: string | undefined;
  readonly open: (id: string) => void;
  readonly narrow: (filters: MailFilters) => void;
};

const ROW_PX = 36;
/** Up to this offset, the list is at its top. */
const AT_TOP_PX = 4;
const OVERSCAN_ROWS = 8;
/** The next page is loaded this many rows before the end. */
const AHEAD_ROWS = 25;

export function EmailList({ filters, openId, open, narrow }: MailListProps) {
  const feed = useFeed(filters);
  const t = useTexts(mailTexts);
  const items = useMemo(() => groupByDay(feed.mails ?? []), [feed.mails]);
  const { scroller, virtual, toTop } = useWindow(items, feed);
  const rowFocus = useRowFocus({ items, openId, show: (at) => virtual.scrollToIndex(at) });
  useSearchFocus({ filters, count: feed.mails?.length, focusFirst: rowFocus.toFirst });
  if (feed.fault && !feed.mails) return <NotInList fault={feed.fault} clear={() => narrow({})} />;
  if (!feed.mails) return <Skeleton of={null} rows={12} columns={4} className="mails" />;
  if (items.length === 0 && !feed.hasMore) return <EmptyMailList filters={filters} clear={() => narrow({})} />;
  const view = viewOf(filters);
  const pressed = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = (event.target as HTMLElement).dataset["mail"];
    const wantsOther = isResend(event) && row !== undefined && row !== openId;
    if (step === undefined && !wantsOther) return;
    event.preventDefault();
    if (step !== undefined) return rowFocus.move(step);
    resendRequest.set(row as string);
    open(row as string);
  };
  return (
    <>
      <div className="scroll" ref={scroller} onKeyDown={pressed}>
        {feed.waiting > 0 && (
          <div className="newer">
            <Button small onClick={toTop}>
              {t.newer(feed.waiting)}
            </Button>
          </div>
        )}
        <div
          className={view === "failed" || view === "bounced" ? "rows mails virtual reasons" : "rows mails virtual"}
          style={{ height: virtual.getTotalSize() }}
        >
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const item = items[index] as Item;
            const place = { ref: virtual.measureElement, "data-index": index, top: start };
            return item.kind === "day" ? (
              <DayLine key={key} day={item.day} place={place} />
            ) : (
              <Row
                key={key}
                mails={item.mails}
                place={place}
                isOpen={holds(item, openId)}
                open={open}
                rowFocus={rowFocus}
              />
            );
          })}
        </div>
        {feed.hasMore && (
          <p className="further" role="status">
            {t.further}
          </p>
        )}
      </div>
      <Foot filters={filters} count={feed.mails.length} hasMore={feed.hasMore} />
    </>
  );
}

function isResend({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key === "r" && !ctrlKey && !metaKey && !altKey;
}

function useWindow(items: readonly Item[], { hasMore, more, look }: ReturnType<typeof useFeed>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.kind === "day" ? DAY_LINE_PX : ROW_PX),
    getItemKey: (index) => (items[index] as Item).key,
    overscan: OVERSCAN_ROWS,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && last >= items.length - AHEAD_ROWS) more();
  }, [hasMore, last, items.length, more]);
  const { isScrolling } = virtual;
  const offset = virtual.scrollOffset ?? 0;
  useEffect(() => {
    look(offset <= AT_TOP_PX ? 0 : Math.max(1, virtual.range?.startIndex ?? 1), isScrolling);
  }, [isScrolling, offset, look]);
  return { scroller, virtual, toTop: () => scroller.current?.scrollTo({ top: 0 }) };
}

type FootProps = { readonly filters: MailFilters; readonly count: number; readonly hasMore: boolean };

/** The foot of the list: the number of emails, a retry of failed ones, and hints for keys. */
function Foot({ filters, count, hasMore }: FootProps) {
  const job = useSignal(retryJob);
  const t = useTexts(mailTexts);
  const { number } = useFormats();
  return (
    <div className="foot">
      <span className="stay">{hasMore ? t.soFar(number(count)) : t.inAll(count, number(count))}</span>
      {(mayRetry(filters) || job !== null) && <Retry filters={filters} />}
      <span className="hints push">
        <span>
          <KeyHints keys={["j", "k"]} /> {t.keys.move}
        </span>
        <span>
          <KeyHints keys={["⏎"]} /> {t.keys.open}
        </span>
        <span>
          <KeyHints keys={["r"]} /> {t.keys.again}
        </span>
      </span>
    </div>
  );
}
