// The rows of the list of people, virtualised. j and k move the focus, Enter opens, x selects.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { useKey } from "../base/keyboard.ts";
import { useTexts } from "../base/language.ts";
import { useSignal } from "../base/signal.ts";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { useSearchFocus } from "../parts/fields/search-focus.ts";
import { peopleTexts } from "../texts/areas.ts";
import type { Contact } from "./calls.ts";
import type { PeopleSelection } from "./bulk/selection.ts";
import type { PeopleFilters } from "./filters.ts";
import { Row } from "./row.tsx";
import type { People } from "./use-people.ts";
import { columns, gridOf, useColumnName, type PeopleColumn } from "./columns.tsx";
import { lastList } from "./neighbors.ts";

const ROW_PX = 36;
const OVERSCAN_ROWS = 8;
/** The next page loads this many rows before the end. */
const AHEAD_ROWS = 40;

type RowsProps = {
  readonly filters: PeopleFilters;
  readonly people: People;
  readonly chosen: PeopleSelection;
  readonly all: readonly Contact[];
};

export function PeopleRows({ all, people, chosen, filters }: RowsProps) {
  const t = useTexts(peopleTexts);
  const { scroller, virtual } = useWindow(all, people);
  const shown = useSignal(columns);
  useEffect(
    () => lastList.set({ ids: all.map(({ id }) => id), total: people.total ?? all.length }),
    [all, people.total],
  );
  const [at, setFocus] = useState(0);
  const pendingFocus = useRef<RowPart | null>(null);
  const move = (step: number) => {
    const isInside = scroller.current?.contains(document.activeElement) ?? false;
    const next = isInside ? Math.max(0, Math.min(all.length - 1, at + step)) : at;
    setFocus(next);
    virtual.scrollToIndex(next);
    const part = isInside && document.activeElement instanceof HTMLInputElement ? "input" : "a";
    // A row outside of the view is rendered only after the list has scrolled to it.
    pendingFocus.current = focusRow(scroller.current, next, part) ? null : part;
  };
  const focusFirst = () => {
    setFocus(0);
    virtual.scrollToIndex(0);
    pendingFocus.current = focusRow(scroller.current, 0, "a") ? null : "a";
  };
  useSearchFocus({ filters, count: all.length, focusFirst });
  useKey("j", () => move(1));
  useKey("k", () => move(-1));
  useLayoutEffect(() => {
    const part = pendingFocus.current;
    if (part && focusRow(scroller.current, at, part)) pendingFocus.current = null;
  });
  const pressed = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const contact = all[at];
    if (step !== undefined) (event.preventDefault(), move(step));
    else if (event.key === "x" && !event.ctrlKey && !event.metaKey && contact) chosen.toggle(contact);
  };
  return (
    <div className="scroll persons-list" ref={scroller} onKeyDown={pressed} style={gridOf(shown)}>
      <Heads shown={shown} chosen={chosen} />
      <div className="rows persons virtual" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <Row
            key={key}
            contact={all[index] as Contact}
            place={{ ref: virtual.measureElement, "data-index": index, top: start }}
            isAt={index === Math.min(at, all.length - 1)}
            chosen={chosen}
            shown={shown}
            setFocus={() => setFocus(index)}
          />
        ))}
      </div>
      {people.hasMore && (
        <p className="further" role="status">
          {t.further}
        </p>
      )}
    </div>
  );
}

type HeadsProps = { readonly shown: readonly PeopleColumn[]; readonly chosen: PeopleSelection };

/** The checkbox in the head selects the whole list. */
function Heads({ shown, chosen }: HeadsProps) {
  const t = useTexts(peopleTexts);
  const nameOf = useColumnName();
  return (
    <div className="rows persons heads wide-only">
      <div className="head">
        <Checkbox checked={chosen.isAll} onChange={() => (chosen.isAll ? chosen.none() : chosen.all())}>
          <span className="hidden-text">{t.chooseAll}</span>
        </Checkbox>
        <span>{t.email}</span>
        {shown.map((column) => (
          <span key={column} className={column === "createdAt" ? "end cut" : "cut"}>
            {nameOf(column)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The focusable parts of a row: its checkbox and its link. */
type RowPart = "input" | "a";

function focusRow(scroller: HTMLElement | null, at: number, part: RowPart): boolean {
  const found = scroller?.querySelector<HTMLElement>(`[data-index="${at}"] ${part}`);
  found?.focus({ preventScroll: true });
  return found != null;
}

function useWindow(all: readonly Contact[], { hasMore, more }: People) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: all.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => (all[index] as Contact).id,
    overscan: OVERSCAN_ROWS,
  });
  const last = virtual.getVirtualItems().at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && last >= all.length - AHEAD_ROWS) more();
  }, [hasMore, last, all.length, more]);
  return { scroller, virtual };
}
