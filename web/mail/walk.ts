// Going along the list by keys: one row has the focus, and the rest of the page is one Tab away.
import { useLayoutEffect, useRef, useState } from "react";
import { useKey } from "../keyboard.ts";
import type { Item } from "./days.ts";

export type Walk = {
  /** The row that Tab leads to. */
  readonly at: string | undefined;
  readonly stand: (id: string) => void;
  readonly move: (step: number) => void;
};

type Way = {
  readonly items: readonly Item[];
  readonly openId: string | undefined;
  readonly show: (index: number) => void;
};

export function useWalk({ items, openId, show }: Way): Walk {
  const [at, stand] = useState<string>();
  const wanted = useRef<string>(undefined);
  const here = at ?? openId;
  const move = (step: number) => {
    const from = items.findIndex(({ key }) => key === here);
    const index = from === -1 ? firstMail(items) : nextMail(items, from, step);
    const item = items[index];
    if (!item) return;
    show(index);
    wanted.current = item.key;
    stand(item.key);
  };
  useKey("j", () => move(1));
  useKey("k", () => move(-1));
  // A row that was out of sight is in the page only after the list has moved to it.
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const row = document.querySelector<HTMLElement>(`[data-mail="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });
  const known = here !== undefined && items.some(({ key }) => key === here);
  return { at: known ? here : items[firstMail(items)]?.key, stand, move };
}

function firstMail(items: readonly Item[]): number {
  return items.findIndex(({ kind }) => kind === "mail");
}

function nextMail(items: readonly Item[], from: number, step: number): number {
  for (let index = from + step; items[index]; index += step) if (items[index]?.kind === "mail") return index;
  return from;
}
