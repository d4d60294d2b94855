// Moves along the list by keys. Only one row can be reached by Tab, so the next Tab leaves the list.
import { useLayoutEffect, useRef, useState } from "react";
import { useKey } from "../../base/keyboard.ts";
import { holds, type Item } from "./day-groups.ts";

export type RowFocus = {
  /** The key of the row that Tab reaches. */
  readonly at: string | undefined;
  readonly setFocus: (id: string) => void;
  readonly move: (step: number) => void;
  readonly toFirst: () => void;
};

type RowFocusInput = {
  readonly items: readonly Item[];
  readonly openId: string | undefined;
  readonly show: (index: number) => void;
};

export function useRowFocus({ items, openId, show }: RowFocusInput): RowFocus {
  const [at, setFocus] = useState<string>();
  const pendingFocus = useRef<string>(undefined);
  const here = at ?? openId;
  const move = (step: number) => {
    const from = items.findIndex((item) => holds(item, here));
    to(from === -1 ? firstEmail(items) : nextEmail(items, from, step));
  };
  const to = (index: number) => {
    const item = items[index];
    if (!item) return;
    show(index);
    pendingFocus.current = item.key;
    setFocus(item.key);
  };
  useKey("j", () => move(1));
  useKey("k", () => move(-1));
  // The list is virtual: a row that was out of view is in the page only after the list has scrolled to it.
  useLayoutEffect(() => {
    if (pendingFocus.current === undefined) return;
    const row = document.querySelector<HTMLElement>(`[data-mail="${pendingFocus.current}"]`);
    if (!row) return;
    pendingFocus.current = undefined;
    row.focus({ preventScroll: true });
  });
  const known = items.find((item) => holds(item, here));
  return {
    at: known ? known.key : items[firstEmail(items)]?.key,
    setFocus: setFocus,
    move,
    toFirst: () => to(firstEmail(items)),
  };
}

function firstEmail(items: readonly Item[]): number {
  return items.findIndex(({ kind }) => kind === "mail");
}

function nextEmail(items: readonly Item[], from: number, step: number): number {
  for (let index = from + step; items[index]; index += step) if (items[index]?.kind === "mail") return index;
  return from;
}
