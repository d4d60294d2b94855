// The list of people, virtualised. Keys move along it: Enter opens, x selects.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { curlOf } from "../curl.ts";
import { useFormats } from "../formats.ts";
import { useKey } from "../keyboard.ts";
import { useTexts } from "../language.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { FaultBanner } from "../parts/form.tsx";
import { Skeleton, Empty, KeyHints } from "../parts/layout.tsx";
import { useSignal } from "../signal.ts";
import { Checkbox } from "../parts/checkbox.tsx";
import { useSearchFocus } from "../parts/search-focus.ts";
import { peopleTexts } from "../texts/areas.ts";
import type { Contact } from "./calls.ts";
import type { Selection } from "./selection.ts";
import { isNarrowed, type Filters } from "./filters.ts";
import { Row } from "./row.tsx";
import type { People } from "./use-people.ts";
import { columns, gridOf, useColumnName, type Column } from "./columns.tsx";
import { lastList } from "./neighbors.ts";

const ROW_PX = 36;
const OVERSCAN_ROWS = 8;
/** How many rows before the end the next page loads. */
const AHEAD_ROWS = 40;

type ListProps = {
  readonly filters: Filters;
  readonly people: People;
  readonly chosen: Selection;
  readonly clear: () => void;
  readonly add: { readonly disabledReason: string | undefined; readonly run: () => void };
};

export function List({ filters, people, chosen, clear, add }: ListProps) {
  const { all } = people;
  if (people.fault && !all) return <Shown fault={people.fault} clear={clear} />;
  if (!all) return <Skeleton of={null} rows={14} columns={4} className="persons" />;
  if (all.length === 0) return isNarrowed(filters) ? <Shown clear={clear} /> : <EmptyList add={add} />;
  return <Rows all={all} people={people} chosen={chosen} filters={filters} />;
}

type RowsProps = Pick<ListProps, "filters" | "people" | "chosen"> & { readonly all: readonly Contact[] };

function Rows({ all, people, chosen, filters }: RowsProps) {
  const t = useTexts(peopleTexts);
  const { scroller, virtual } = useWindow(all, people);
  const shown = useSignal(columns);
  const navigate = useNavigate();
  useEffect(
    () => lastList.set({ ids: all.map(({ id }) => id), total: people.total ?? all.length }),
    [all, people.total],
  );
  const [at, setFocus] = useState(0);
  const pendingFocus = useRef<Part | null>(null);
  const move = (step: number) => {
    const isInside = scroller.current?.contains(document.activeElement) ?? false;
    const next = isInside ? Math.max(0, Math.min(all.length - 1, at + step)) : at;
    setFocus(next);
    virtual.scrollToIndex(next);
    const part = isInside && document.activeElement instanceof HTMLInputElement ? "input" : "a";
    // A row that is out of sight is in the page only after the list has moved to it.
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
  const open = (id: string) => void navigate({ to: "/people/$id", params: { id } });
  return (
    <>
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
              open={open}
            />
          ))}
        </div>
        {people.hasMore && (
          <p className="further" role="status">
            {t.further}
          </p>
        )}
      </div>
      <ListEnd total={people.total ?? all.length} text={people.totalText} />
    </>
  );
}

type HeadsProps = { readonly shown: readonly Column[]; readonly chosen: Selection };

/** The checkbox in front selects the whole list. */
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

/** What of a row has the focus: its checkbox or its link. */
type Part = "input" | "a";

function focusRow(scroller: HTMLElement | null, at: number, part: Part): boolean {
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

function ListEnd({ total, text }: { readonly total: number; readonly text: string | undefined }) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  return (
    <div className="foot">
      <span className="stay">{t.count(total, text ?? number(total))}</span>
      <span className="hints push">
        <span>
          <KeyHints keys={["j", "k"]} /> {t.keys.move}
        </span>
        <span>
          <KeyHints keys={["⏎"]} /> {t.keys.open}
        </span>
        <span>
          <KeyHints keys={["x"]} /> {t.keys.choose}
        </span>
      </span>
    </div>
  );
}

/** No match, or a refused filter. */
function Shown({ fault, clear }: { readonly fault?: unknown; readonly clear: () => void }) {
  const t = useTexts(peopleTexts);
  const action = <Button onClick={clear}>{t.showAll}</Button>;
  return (
    <div className="scroll no-people">
      {fault === undefined ? (
        <Empty title={t.noneFound.title} action={action}>
          {t.noneFound.text}
        </Empty>
      ) : (
        <div className="stack">
          <FaultBanner fault={fault} />
          <span>{action}</span>
        </div>
      )}
    </div>
  );
}

const FIRST = {
  method: "POST",
  path: "/contacts",
  body: { email: "ada@example.com", data: { name: "Ada Lovelace", plan: "pro" } },
} as const;

function EmptyList({ add }: Pick<ListProps, "add">) {
  const t = useTexts(peopleTexts);
  const action = (
    <span className="inline">
      <ButtonLink to="/people/import">{t.import.open}</ButtonLink>
      <Button icon="plus" disabledReason={add.disabledReason} onClick={add.run}>
        {t.add.open}
      </Button>
    </span>
  );
  return (
    <div className="scroll no-people">
      <Empty title={t.none.title} action={action} curl={curlOf(FIRST)}>
        {t.none.text}
      </Empty>
    </div>
  );
}
